// All definitions, and the way to another.

import type { ProviderObject } from '../../../src/client/provider-object.ts';
import { client } from '../api/client.ts';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useList } from '../parts/use-list.ts';
import { hrefTo, Link } from '../router.tsx';
import { useMember } from '../shell/session-context.ts';
import { KINDS } from './provider-kinds.ts';

export function ProvidersPage() {
  const { member } = useMember();
  const list = useList(['providers'], (cursor) => client.providers.list({ cursor, limit: PAGE }));
  return (
    <>
      <PageHead title="Providers">
        {member.role === 'admin' && (
          <Link className="button primary" href={hrefTo('providers', '+new')}>
            New provider
          </Link>
        )}
      </PageHead>
      <ListView
        list={list}
        label="Providers"
        id={({ id }) => id}
        columns={COLUMNS}
        empty={
          <Empty title="The account defines no provider">
            <p>
              Shares use the providers of the service’s configuration, and those that you define: your own
              single sign-on, a partner’s, GitHub.
            </p>
          </Empty>
        }
      />
    </>
  );
}

const COLUMNS: readonly Column<ProviderObject>[] = [
  { title: 'Name', cell: ({ name }) => <Link href={hrefTo('providers', name)}>{name}</Link> },
  { title: 'Kind', cell: ({ type }) => KINDS[type].title },
  { title: 'Issuer', cell: ({ config }) => config.issuerUrl ?? config.baseUrl ?? '' },
  { title: 'Changed', cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
];

/** More than an account has. */
const PAGE = 200;
