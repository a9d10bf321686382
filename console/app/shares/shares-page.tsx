// All shares of the account: found by what they are called or reach, each with where it leads and who gets
// in.

import type { ShareObject, ShareSearch } from '../../../src/wire/share.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useTypedQueryValue } from '../parts/typed-query-value.ts';
import { useList } from '../parts/use-list.ts';
import { hrefTo, Link, useQueryValue } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { admissionText, targetText } from './share-words.ts';
import { StateBadge } from './state-badge.tsx';

export function SharesPage() {
  const may = useMay();
  const search = useShareSearch();
  const list = useList(['shares', 'list', search], (cursor) =>
    client.shares.list({ ...search, cursor, limit: PAGE }),
  );
  const isAll = Object.keys(search).length === 0;
  return (
    <>
      <PageHead title="Shares" about="What you publish, its target, and who gets in.">
        {may('shares.write') && (
          <Link className="button primary" href={hrefTo('shares', '+new')}>
            New share
          </Link>
        )}
      </PageHead>
      <Filters />
      <ListView
        list={list}
        label="Shares"
        id={({ id }) => id}
        columns={COLUMNS}
        empty={isAll ? <NoShares /> : <NothingFound />}
      />
    </>
  );
}

const COLUMNS: readonly Column<ShareObject>[] = [
  {
    title: 'Name',
    cell: ({ name, url }) => (
      <>
        <Link href={hrefTo('shares', name)}>{name}</Link>
        <span className="share-address">
          <CopyText text={url} label={`the address of ${name}`} opens />
        </span>
      </>
    ),
  },
  { title: 'Reaches', kind: 'address', cell: targetText },
  {
    title: 'Who gets in',
    cell: (share) =>
      share.open && share.enabled ? <Badge tone="warn">everyone</Badge> : admissionText(share),
  },
  { title: 'State', cell: (share) => <StateBadge share={share} /> },
];

function Filters() {
  const [text, type] = useTypedQueryValue('q');
  const [state, wantState] = useQueryValue('state');
  const [provider, wantProvider] = useQueryValue('provider');
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
        <option value="">All</option>
        {STATES.map((each) => (
          <option key={each} value={each}>
            {STATE_WORDS[each]}
          </option>
        ))}
      </select>
      {provider !== '' && (
        <button type="button" onClick={() => wantProvider('')}>
          Login by {provider} <span aria-label="Remove this filter">✕</span>
        </button>
      )}
    </search>
  );
}

/** What the address asks for. */
function useShareSearch(): ShareSearch {
  const [q] = useQueryValue('q');
  const [state] = useQueryValue('state');
  const [provider] = useQueryValue('provider');
  const known = STATES.find((each) => each === state);
  return {
    ...(q.trim() === '' ? {} : { q: q.trim() }),
    ...(provider === '' ? {} : { provider }),
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

const STATES = ['on', 'off', 'open', 'down', 'waiting', 'failing'] as const;
const STATE_WORDS = {
  on: 'On',
  off: 'Off',
  open: 'Open to everyone',
  down: 'Down',
  waiting: 'No agent',
  failing: 'Target not answering',
} as const;
/** As many as a person looks through before they search. */
const PAGE = 50;
