// "Would this address get in, and why": the gate's own answer about somebody who has just logged in.

import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import type { ShareObject } from '../../../src/client/share-object.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';

export function WouldGetIn({ share }: { readonly share: ShareObject }) {
  const [email, setEmail] = useState('');
  const test = useMutation({ mutationFn: () => client.shares.test(share.name, email) });
  const ask = (event: SubmitEvent) => {
    event.preventDefault();
    test.mutate();
  };
  return (
    <section className="card" aria-labelledby="would">
      <h2 id="would">Would this address get in?</h2>
      <form className="row" onSubmit={ask}>
        <input
          type="email"
          required
          aria-label="Email address"
          placeholder="ann@example.com"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <button type="submit" disabled={test.isPending}>
          Ask
        </button>
      </form>
      <div aria-live="polite">
        {test.isError && <ProblemNote error={test.error} />}
        {test.data !== undefined && (
          <p>
            <Badge good={test.data.allowed}>{test.data.allowed ? 'yes' : 'no'}</Badge> {test.data.detail}
          </p>
        )}
      </div>
    </section>
  );
}
