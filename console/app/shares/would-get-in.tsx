// "Would this address get in, and why": the gate's own answer about somebody who has just logged in, rule by
// rule.

import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import type { ShareObject } from '../../../src/wire/share.ts';
import type { ShareTest } from '../../../src/wire/share-test.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { faultsOf } from '../parts/faults.ts';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useRouter } from '../router.tsx';
import { MoreFacts } from './more-facts.tsx';
import { type FactDraft, factsOf, readFacts, saysSomething, writeFacts } from './tested-facts.ts';
import { TestedRules } from './tested-rules.tsx';

export function WouldGetIn({ share }: { readonly share: ShareObject }) {
  // In the address, so that the question can be sent to somebody else.
  const { place, go } = useRouter();
  const asked = readFacts(place.query);
  const [draft, setDraft] = useState(asked);
  // Below the share, so that a change of its rules asks again.
  const test = useQuery({
    queryKey: ['shares', share.name, 'admission', asked],
    queryFn: () => client.shares.test(share.id, factsOf(asked)),
    enabled: saysSomething(asked),
  });
  const ask = (event: SubmitEvent) => {
    event.preventDefault();
    const before = place.query.toString();
    const query = writeFacts(place.query, draft).toString();
    go(`${location.pathname}${query === '' ? '' : `?${query}`}`, 'replace');
    if (query === before) void test.refetch();
  };
  const change = (changes: Partial<FactDraft>) => setDraft((known) => ({ ...known, ...changes }));
  return (
    <Panel
      title="Would this address get in?"
      about="The gateway’s own decision about somebody who has just logged in."
    >
      <form className="form" onSubmit={ask}>
        <div className="row">
          <input
            type="text"
            inputMode="email"
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX_ADDRESS}
            aria-label="Email address"
            placeholder="ann@example.com"
            value={draft.email}
            onChange={({ target }) => change({ email: target.value })}
          />
          <button type="submit" disabled={test.isFetching}>
            Ask
          </button>
        </div>
        <MoreFacts draft={draft} change={change} faults={faultsOf(test.error)} />
      </form>
      <div aria-live="polite">
        {test.isError && <ProblemNote error={test.error} />}
        {test.data !== undefined && <Answer found={test.data} />}
      </div>
    </Panel>
  );
}

function Answer({ found }: { readonly found: ShareTest }) {
  const who = found.email ?? 'A visitor like that';
  const { tone, word, says } = OUTCOMES[found.outcome];
  return (
    <>
      <p>
        <Badge tone={tone}>{word}</Badge> {`${who} ${says}`}
      </p>
      <p>
        {`${found.detail.slice(0, 1).toUpperCase()}${found.detail.slice(1)}.`}
        {found.allowed && found.needsVerifiedEmail && ' The provider must say that the address is verified.'}
      </p>
      <TestedRules rules={found.rules} />
    </>
  );
}

const OUTCOMES = {
  allowed: { tone: 'good', word: 'yes', says: 'would get in.' },
  depends: { tone: 'warn', word: 'depends', says: 'may get in.' },
  refused: { tone: 'bad', word: 'no', says: 'would not get in.' },
} as const;
/** Longer than any address; what the API takes. */
const MAX_ADDRESS = 300;
