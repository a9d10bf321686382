// Host names of their own that the account's shares have or claim: found, sorted, verified and deleted here,
// added on the page of their share.

import { HOST_ORDERS } from '../../../src/domain/list-orders.ts';
import type { HostObject } from '../../../src/wire/host.ts';
import { client } from '../api/client.ts';
import { ActBar } from '../parts/acts/act-bar.tsx';
import { rowActs } from '../parts/acts/row-acts.ts';
import { useActs } from '../parts/acts/use-acts.tsx';
import { useChosen } from '../parts/acts/use-chosen.ts';
import { Empty } from '../parts/empty.tsx';
import { ListTotal } from '../parts/list-total.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import { Moment } from '../parts/time-text.tsx';
import { totalText } from '../parts/total-text.ts';
import { useList } from '../parts/use-list.ts';
import { useSort } from '../parts/use-sort.ts';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { DELETE_HOSTS, HostBadge, hostName, useHostsChanged, VERIFY_HOSTS } from './host-acts.tsx';

export function HostsPage() {
  const mayWrite = useMay()('shares.write');
  const [sort, listSort] = useSort(HOST_ORDERS);
  const list = useList(['hosts', 'list', sort], (cursor) => client.hosts.list({ sort, cursor, limit: PAGE }));
  const chosen = useChosen(list.items, ({ id }) => id);
  const changed = useHostsChanged();
  const { ask, dialog } = useActs({
    nameOf: hostName,
    listKey: ['hosts'],
    left: (items, asked) => {
      chosen.keep(items, asked);
      void changed();
    },
  });
  const actions: Column<HostObject> = {
    title: 'Actions',
    kind: 'actions',
    cell: (host) => (
      <RowMenu
        about={host.host}
        acts={[
          { label: 'Show its share', href: hrefTo('shares', host.share) },
          ...rowActs(mayWrite ? ACTS : [], host, ask),
        ]}
      />
    ),
  };
  return (
    <>
      <PageHead
        title="Host names"
        about="Your own host names, at which shares answer once you verified them. Add one on the page of its share."
      />
      <ListTotal>{totalText(list, { one: 'host name' })}</ListTotal>
      <ActBar chosen={chosen} acts={ACTS} ask={ask} />
      <ListView
        list={list}
        label="Host names"
        id={({ id }) => id}
        nameOf={hostName}
        sort={listSort}
        {...(mayWrite ? { chosen } : {})}
        columns={[...COLUMNS, actions]}
        empty={
          <Empty title="No host names yet">
            <p>
              A share answers below the service’s own domain. To have it answer at a name of yours, such as
              app.example.com, add the name on the page of the share.
            </p>
            <p>
              <Link className="button" href={hrefTo('shares')}>
                See the shares
              </Link>
            </p>
          </Empty>
        }
      />
      {dialog}
    </>
  );
}

const ACTS = [VERIFY_HOSTS, DELETE_HOSTS];

const COLUMNS: readonly Column<HostObject>[] = [
  { title: 'Host name', sort: 'name', cell: ({ host }) => <span title={host}>{host}</span> },
  {
    title: 'Share',
    cell: ({ share }) => <Link href={hrefTo('shares', share)}>{share}</Link>,
  },
  { title: 'State', cell: (host) => <HostBadge host={host} /> },
  { title: 'Verified', kind: 'time', cell: ({ provedAt }) => <Moment at={provedAt} none="" /> },
  {
    title: 'Added',
    sort: 'created',
    isLastFirst: true,
    kind: 'time',
    room: 'laptop',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

const PAGE = 100;
