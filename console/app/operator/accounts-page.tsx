// All accounts: their state, when they were last used, and how much of their limits they use.

import type { OperatedAccount } from '../../../src/wire/operator.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Empty } from '../parts/empty.tsx';
import { limitText, limitTitle } from '../parts/limit-text.ts';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useList } from '../parts/use-list.ts';
import { hrefTo, Link } from '../router.tsx';
import { AccountState } from './account-state.tsx';

export function AccountsPage() {
  const list = useList(['operator', 'accounts'], (cursor) =>
    client.operator.accounts({ cursor, limit: PAGE }),
  );
  return (
    <>
      <PageHead
        title="Accounts"
        about="All accounts of this service, in figures. What an account holds is not shown."
      />
      <ListView
        list={list}
        label="Accounts"
        id={({ id }) => id}
        columns={COLUMNS}
        empty={
          <Empty icon="people" title="No accounts yet">
            <p>Create one on the machine of the service: doorward account create NAME --admin EMAIL</p>
          </Empty>
        }
      />
    </>
  );
}

function limitColumn(name: string, room?: 'laptop' | 'wide'): Column<OperatedAccount> {
  return {
    title: limitTitle(name),
    kind: 'number',
    ...(room === undefined ? {} : { room }),
    cell: ({ limits }) => <Amount limit={limits.find(({ limit }) => limit === name)} />,
  };
}

function Amount({ limit }: { readonly limit: OperatedAccount['limits'][number] | undefined }) {
  if (limit === undefined) return null;
  const isNear = limit.used !== null && limit.used >= limit.allowed * NEAR;
  return (
    <>
      {limitText(limit)} {isNear && <Badge tone="warn">near the limit</Badge>}
    </>
  );
}

const COLUMNS: readonly Column<OperatedAccount>[] = [
  { title: 'Name', cell: ({ name }) => <Link href={hrefTo('operator', 'accounts', name)}>{name}</Link> },
  { title: 'State', kind: 'state', cell: ({ state }) => <AccountState state={state} /> },
  {
    title: 'Last request',
    kind: 'time',
    cell: ({ lastRequestAt }) => <Moment at={lastRequestAt} none="none in the last week" />,
  },
  limitColumn('shares'),
  limitColumn('members'),
  limitColumn('apiKeys', 'laptop'),
  limitColumn('hosts', 'wide'),
  limitColumn('providers', 'wide'),
  limitColumn('serviceTokens', 'wide'),
];
const PAGE = 50;
const NEAR = 0.9;
