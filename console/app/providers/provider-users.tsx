// Which shares log in with a provider.

import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { hrefTo, Link } from '../router.tsx';

type UsersProps = {
  readonly name: string;
  /** How many there are. */
  readonly shares: number;
};

export function ProviderUsers({ name, shares }: UsersProps) {
  return (
    <Panel title="Used by">
      {shares === 0 ? (
        <p className="soft">
          No shares yet. Choose it on a share’s page under “Who gets in”, or create a{' '}
          <Link href={hrefTo('shares', '+new')}>new share</Link>.
        </p>
      ) : (
        <ShareLinks name={name} shares={shares} />
      )}
    </Panel>
  );
}

export function ShareLinks({ name, shares }: UsersProps) {
  const users = useQuery({
    queryKey: ['shares', 'of-provider', name],
    queryFn: async () => (await client.shares.list({ provider: name, limit: MOST })).items,
  });
  if (users.isError) return <ProblemNote error={users.error} retry={users.refetch} />;
  const shown = users.data ?? [];
  return (
    <ul className="provider-users" aria-busy={users.isPending}>
      {shown.map((share) => (
        <li key={share.id}>
          <Link href={hrefTo('shares', share.name)}>{share.name}</Link>
          {!share.enabled && <span className="faint"> (off)</span>}
        </li>
      ))}
      {shares > shown.length && !users.isPending && (
        <li>
          <Link href={`${hrefTo('shares')}?${new URLSearchParams({ provider: name })}`}>
            All {shares.toLocaleString('en')}
          </Link>
        </li>
      )}
    </ul>
  );
}

/** As many as one reads at a glance; the list of shares has them all. */
const MOST = 20;
