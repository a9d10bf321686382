// One share: its address, its rules with "would this address get in, and why", who is in, and what ends it.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import type { ShareObject } from '../../../src/client/share-object.ts';
import { client } from '../api/client.ts';
import { Confirm } from '../parts/confirm.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useTell } from '../parts/toast.tsx';
import { hrefTo, useRouter } from '../router.tsx';
import { loginText } from './share-text.ts';

export function SharePage({ name }: { readonly name: string }) {
  const share = useQuery({ queryKey: ['shares', name], queryFn: () => client.shares.show(name) });
  if (share.isError) return <ProblemNote error={share.error} retry={share.refetch} />;
  if (share.data === undefined)
    return (
      <p className="soft" aria-busy="true">
        Loading…
      </p>
    );
  return (
    <>
      <div className="head">
        <h1>{share.data.name}</h1>
        <Switch share={share.data} />
        <Removal share={share.data} />
      </div>
      <p>
        <CopyText text={share.data.url} label="the address" />
      </p>
      <dl>
        <div>
          <dt>Reaches</dt>
          <dd>{share.data.target ?? 'agents, through a tunnel'}</dd>
        </div>
        <div>
          <dt>Who gets in</dt>
          <dd>{loginText(share.data)}</dd>
        </div>
        <div>
          <dt>Checked again every</dt>
          <dd>{share.data.oauthCheckInterval ?? 'never: there is no login'}</dd>
        </div>
        <div>
          <dt>Answers at</dt>
          <dd>{share.data.hosts.join(', ')}</dd>
        </div>
      </dl>
      <WouldGetIn share={share.data} />
    </>
  );
}

function Switch({ share }: { readonly share: ShareObject }) {
  const queries = useQueryClient();
  const tell = useTell();
  const change = useMutation({
    mutationFn: () => client.shares.modify(share.name, { enabled: !share.enabled }),
    onSuccess: (changed) => {
      queries.setQueryData(['shares', share.name], changed);
      tell(changed.enabled ? `${share.name} is on` : `${share.name} is off`);
    },
    onError: (error) => tell('Nothing was changed', error.message),
  });
  return (
    <button type="button" className="button" disabled={change.isPending} onClick={() => change.mutate()}>
      {share.enabled ? 'Switch off' : 'Switch on'}
    </button>
  );
}

function Removal({ share }: { readonly share: ShareObject }) {
  const queries = useQueryClient();
  const { go } = useRouter();
  const remove = async () => {
    await client.shares.remove(share.name);
    await queries.invalidateQueries({ queryKey: ['shares'] });
    go(hrefTo('shares'));
  };
  return (
    <Confirm label="Delete" title={`Delete ${share.name}?`} action="Delete" run={remove}>
      <p>
        Its address answers nothing any more, everybody who is in is cut off, and the name stays this
        account’s.
      </p>
    </Confirm>
  );
}

function WouldGetIn({ share }: { readonly share: ShareObject }) {
  const [email, setEmail] = useState('');
  const test = useMutation({ mutationFn: () => client.shares.test(share.name, email) });
  const ask = (event: SubmitEvent) => {
    event.preventDefault();
    test.mutate();
  };
  return (
    <section aria-labelledby="would">
      <h2 id="would">Would this address get in?</h2>
      <form className="row" onSubmit={ask}>
        <input
          type="email"
          required
          aria-label="Email address"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <button type="submit" className="button" disabled={test.isPending}>
          Ask
        </button>
      </form>
      <div aria-live="polite">
        {test.isError && <ProblemNote error={test.error} />}
        {test.data !== undefined && (
          <p>
            <span className="badge" data-good={test.data.allowed}>
              {test.data.allowed ? 'yes' : 'no'}
            </span>{' '}
            {test.data.detail}
          </p>
        )}
      </div>
    </section>
  );
}
