// All shares of the account: found by what they are called or reach, each with where it leads and who gets
// in.

import { MOST_COUNTED, SHARE_ORDERS } from '../../../src/domain/list-orders.ts';
import type { ListedShare, ShareSearch } from '../../../src/wire/share.ts';
import { client } from '../api/client.ts';
import { ActBar } from '../parts/acts/act-bar.tsx';
import { useActs } from '../parts/acts/use-acts.tsx';
import { useChosen } from '../parts/acts/use-chosen.ts';
import { Badge } from '../parts/badge.tsx';
import { Empty } from '../parts/empty.tsx';
import { ListTotal } from '../parts/list-total.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { countText } from '../parts/numbers.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Moment } from '../parts/time-text.tsx';
import { ProviderName } from '../parts/provider-name.tsx';
import { totalText } from '../parts/total-text.ts';
import { useTypedQueryValue } from '../parts/typed-query-value.ts';
import { useList } from '../parts/use-list.ts';
import { useProviderTitles } from '../parts/use-providers.ts';
import { useSort } from '../parts/use-sort.ts';
import { SavedViews } from '../parts/views/saved-views.tsx';
import { hrefTo, Link, useQueryValue } from '../router.tsx';
import { useMay, useMember } from '../shell/session-context.ts';
import { SHARE_ACTS, ShareMenu, shareName } from './share-acts.tsx';
import { admissionText, targetText } from './share-words.ts';
import { StateBadge } from './state-badge.tsx';

export function SharesPage() {
  const may = useMay();
  const search = useShareSearch();
  const [sort, listSort] = useSort(SHARE_ORDERS);
  const list = useList(['shares', 'list', search, sort], (cursor) =>
    client.shares.list({ ...search, sort, include: 'figures', cursor, limit: PAGE }),
  );
  const chosen = useChosen(list.items, ({ id }) => id);
  const { ask, dialog } = useActs({ nameOf: shareName, listKey: ['shares'], left: chosen.keep });
  const mayWrite = may('shares.write');
  const actions: Column<ListedShare> = {
    title: 'Actions',
    kind: 'actions',
    cell: (share) => <ShareMenu share={share} acts={mayWrite ? SHARE_ACTS : []} ask={ask} />,
  };
  const isAll = Object.keys(search).length === 0;
  return (
    <>
      <PageHead title="Shares" about="What you publish, its target, and who gets in.">
        {mayWrite && (
          <Link className="button primary" href={hrefTo('shares', '+new')}>
            New share
          </Link>
        )}
      </PageHead>
      <Filters />
      <ListTotal>{totalText(list, { one: 'share' })}</ListTotal>
      <ActBar chosen={chosen} acts={SHARE_ACTS} ask={ask} />
      <ListView
        list={list}
        label="Shares"
        id={({ id }) => id}
        nameOf={shareName}
        sort={listSort}
        {...(mayWrite ? { chosen } : {})}
        columns={[...COLUMNS, actions]}
        empty={isAll ? <NoShares /> : <NothingFound />}
      />
      {dialog}
    </>
  );
}

const COLUMNS: readonly Column<ListedShare>[] = [
  {
    title: 'Name',
    sort: 'name',
    cell: ({ name, url }) => (
      <Link href={hrefTo('shares', name)} title={url}>
        {name}
      </Link>
    ),
  },
  {
    title: 'Target',
    kind: 'address',
    room: 'laptop',
    cell: (share) => <span title={targetText(share)}>{targetText(share)}</span>,
  },
  {
    title: 'Who gets in',
    cell: (share) =>
      share.open && share.enabled ? <Badge tone="warn">everyone</Badge> : <Admission share={share} />,
  },
  { title: 'State', kind: 'state', cell: (share) => <StateBadge share={share} /> },
  {
    title: 'Requests, 24 h',
    kind: 'number',
    cell: ({ name, figures }) => (
      <Link href={hrefTo('shares', name)}>{countText(figures?.requests ?? 0)}</Link>
    ),
  },
  {
    title: 'Sessions',
    kind: 'number',
    cell: ({ name, figures }) => (
      <Link href={`${hrefTo('sessions')}?${new URLSearchParams({ share: name })}`}>
        {sessionsText(figures?.sessions ?? 0)}
      </Link>
    ),
  },
  {
    title: 'Last request',
    kind: 'time',
    room: 'desk',
    cell: ({ figures }) => <Moment at={figures?.lastRequestAt ?? null} none="" />,
  },
  {
    title: 'Changed',
    sort: 'changed',
    isLastFirst: true,
    kind: 'time',
    room: 'wide',
    cell: ({ updatedAt }) => <Moment at={updatedAt} />,
  },
  {
    title: 'Created',
    sort: 'created',
    isLastFirst: true,
    kind: 'time',
    room: 'wide',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    title: 'Owner',
    room: 'wide',
    cell: (share) => <Owner share={share} />,
  },
];

/** As many as are counted. */
function sessionsText(count: number): string {
  return count > MOST_COUNTED ? `${countText(MOST_COUNTED)}+` : countText(count);
}

function Admission({ share }: { readonly share: ListedShare }) {
  const text = admissionText(share, useProviderTitles().titleOf);
  return <span title={text}>{text}</span>;
}

function Owner({ share: { owner, ownerIsMember } }: { readonly share: ListedShare }) {
  if (owner === null) return null;
  return (
    <>
      <Link href={`${hrefTo('shares')}?${new URLSearchParams({ owner })}`}>{owner}</Link>
      {ownerIsMember === false && <span className="soft"> (not a member)</span>}
    </>
  );
}

function Filters() {
  const { account } = useMember();
  const [text, type] = useTypedQueryValue('q');
  const [state, wantState] = useQueryValue('state');
  const [provider, wantProvider] = useQueryValue('provider');
  const [owner, wantOwner] = useQueryValue('owner');
  return (
    <search className="toolbar">
      <input
        type="search"
        aria-label="Find shares by name, target or provider"
        placeholder="Name, target or provider"
        value={text}
        onChange={(event) => type(event.target.value)}
      />
      <select aria-label="State" value={state} onChange={(event) => wantState(event.target.value)}>
        <option value="">Any state</option>
        {STATES.map((each) => (
          <option key={each} value={each}>
            {STATE_WORDS[each]}
          </option>
        ))}
      </select>
      {provider !== '' && (
        <button type="button" onClick={() => wantProvider('')}>
          Login by <ProviderName name={provider} /> <span aria-label="Remove this filter">✕</span>
        </button>
      )}
      {owner !== '' && (
        <button type="button" onClick={() => wantOwner('')}>
          Owned by {owner} <span aria-label="Remove this filter">✕</span>
        </button>
      )}
      <SavedViews account={account.id} list="shares" holds={HOLDS} />
    </search>
  );
}

/** What the address asks for. */
function useShareSearch(): ShareSearch {
  const [q] = useQueryValue('q');
  const [state] = useQueryValue('state');
  const [provider] = useQueryValue('provider');
  const [owner] = useQueryValue('owner');
  const known = STATES.find((each) => each === state);
  return {
    ...(q.trim() === '' ? {} : { q: q.trim() }),
    ...(provider === '' ? {} : { provider }),
    ...(owner === '' ? {} : { owner }),
    ...(known === undefined ? {} : { state: known }),
  };
}

function NoShares() {
  const may = useMay();
  return (
    <Empty title="No shares yet">
      <p>
        A share publishes your app at a public address, with a login in front of it. The gateway reaches the
        app directly, or an agent next to it opens a tunnel.
      </p>
      {may('shares.write') && (
        <p>
          <Link className="button" href={hrefTo('shares', '+new')}>
            Create a share
          </Link>
        </p>
      )}
      {may('shares.write') && (
        <p>
          <Link href={`${hrefTo('shares', '+new')}?how=tunnel`}>
            Share an app that runs on another machine
          </Link>
        </p>
      )}
    </Empty>
  );
}

function NothingFound() {
  return (
    <Empty title="No matching shares">
      <p>The search covered names, targets and providers of all shares of this account.</p>
      <p>
        <Link href={hrefTo('shares')}>Show every share</Link>
      </p>
    </Empty>
  );
}

/** What a saved view keeps of the address. */
const HOLDS = ['q', 'state', 'provider', 'owner', 'sort'];
const STATES = ['on', 'off', 'open', 'up', 'down', 'waiting', 'failing', 'unanswered'] as const;
const STATE_WORDS = {
  on: 'On',
  off: 'Off',
  open: 'Open to everyone',
  up: 'Up',
  down: 'Down',
  waiting: 'No agent',
  failing: 'Target not answering',
  unanswered: 'Unanswered requests, 24 h',
} as const;
/** As many as a person looks through before they search. */
const PAGE = 50;
