// "Would this address get in, and why": the gate's own answer about somebody who has just logged in, step by
// step.

import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import type { ShareObject } from '../../../src/wire/share.ts';
import type { ShareTest } from '../../../src/wire/share-test.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useQueryValue } from '../router.tsx';
import { admissionSteps } from './admission-steps.ts';

export function WouldGetIn({ share }: { readonly share: ShareObject }) {
  // In the address, so that the question can be sent to somebody else.
  const [asked, setAsked] = useQueryValue('email');
  const [email, setEmail] = useState(asked);
  // Below the share, so that a change of its rules asks again.
  const test = useQuery({
    queryKey: ['shares', share.name, 'admission', asked],
    queryFn: () => client.shares.test(share.id, asked),
    enabled: asked !== '',
  });
  const ask = (event: SubmitEvent) => {
    event.preventDefault();
    setAsked(email.trim());
    if (asked === email.trim()) void test.refetch();
  };
  return (
    <Panel
      title="Would this address get in?"
      about="The gateway’s own decision about somebody who has just logged in."
    >
      <form className="row" onSubmit={ask}>
        <input
          type="text"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          required
          maxLength={MAX_ADDRESS}
          aria-label="Email address"
          placeholder="ann@example.com"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <button type="submit" disabled={test.isFetching}>
          Ask
        </button>
      </form>
      <div aria-live="polite">
        {test.isError && <ProblemNote error={test.error} />}
        {test.data !== undefined && <Answer share={share} found={test.data} />}
      </div>
    </Panel>
  );
}

function Answer({ share, found }: { readonly share: ShareObject; readonly found: ShareTest }) {
  return (
    <>
      <p>
        <Badge good={found.allowed}>{found.allowed ? 'yes' : 'no'}</Badge>{' '}
        {found.allowed ? `${found.email} would get in.` : `${found.email} would not get in.`}
      </p>
      <ol className="steps">
        {admissionSteps(share, found).map(({ passed, text }) => (
          <li key={text} data-passed={passed}>
            {text}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Longer than any address; what the API takes. */
const MAX_ADDRESS = 300;
