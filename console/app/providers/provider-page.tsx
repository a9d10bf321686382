// One definition: what to register at the provider, whether it works, which shares use it.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useList } from '../parts/use-list.ts';
import { hrefTo, Link, useRouter } from '../router.tsx';
import { useMember } from '../shell/session-context.ts';
import { KINDS } from './provider-kinds.ts';

export function ProviderPage({ name }: { readonly name: string }) {
  const { member } = useMember();
  const provider = useQuery({ queryKey: ['providers', name], queryFn: () => client.providers.show(name) });
  if (provider.isError) return <ProblemNote error={provider.error} retry={provider.refetch} />;
  if (provider.data === undefined)
    return (
      <p className="soft" aria-busy="true">
        Loading…
      </p>
    );
  const { type, config, redirectUrl } = provider.data;
  return (
    <>
      <PageHead title={name}>{member.role === 'admin' && <Removal name={name} />}</PageHead>
      <section>
        <h2>Register this redirect URL</h2>
        <p className="soft">{KINDS[type].register}</p>
        <p>
          <CopyText text={redirectUrl} label="the redirect URL" />
        </p>
      </section>
      <dl>
        <div>
          <dt>Kind</dt>
          <dd>{KINDS[type].title}</dd>
        </div>
        {config.issuerUrl !== undefined && (
          <div>
            <dt>Issuer</dt>
            <dd>{config.issuerUrl}</dd>
          </div>
        )}
        <div>
          <dt>Client ID</dt>
          <dd>{config.clientId}</dd>
        </div>
        <div>
          <dt>Addresses it may let in</dt>
          <dd>{config.emailPatterns?.join(', ') ?? 'any'}</dd>
        </div>
      </dl>
      <Test name={name} />
      <UsedBy name={name} />
    </>
  );
}

function Removal({ name }: { readonly name: string }) {
  const queries = useQueryClient();
  const { go } = useRouter();
  const remove = async () => {
    await client.providers.remove(name);
    await queries.invalidateQueries({ queryKey: ['providers'] });
    go(hrefTo('providers'));
  };
  return (
    <Confirm label="Delete" title={`Delete ${name}?`} action="Delete" run={remove}>
      <p>Nobody can log in with it any more. While a share uses it, it cannot be deleted.</p>
    </Confirm>
  );
}

function Test({ name }: { readonly name: string }) {
  const test = useMutation({ mutationFn: () => client.providers.test(name) });
  return (
    <section aria-labelledby="test">
      <div className="head">
        <h2 id="test">Does it work?</h2>
        <button type="button" disabled={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? 'Asking the provider…' : 'Test it'}
        </button>
      </div>
      <div aria-live="polite">
        {test.isError && <ProblemNote error={test.error} />}
        {test.data?.checks.map(({ name: what, state, found, next }) => (
          <p key={what}>
            <Badge good={state === 'ok'}>{state}</Badge> <strong>{what}</strong>: {found}
            {next !== null && <span className="soft"> {next}</span>}
          </p>
        ))}
      </div>
    </section>
  );
}

function UsedBy({ name }: { readonly name: string }) {
  const shares = useList(['shares'], (cursor) => client.shares.list({ cursor, limit: PAGE }));
  const using = shares.items.filter(({ oauthProvider }) => oauthProvider === name);
  return (
    <section>
      <h2>Shares that use it</h2>
      {using.length === 0 ? (
        <p className="soft">None.</p>
      ) : (
        <ul>
          {using.map((share) => (
            <li key={share.id}>
              <Link href={hrefTo('shares', share.name)}>{share.name}</Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const PAGE = 200;
