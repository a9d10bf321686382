// Below /console/sessions: who is in, from where, with what; and how that is ended; and what a person could
// open. What is shown is in the address.

import { useQuery } from '@tanstack/react-query';
import type { SessionObject } from '../../../src/wire/session.ts';
import { SESSION_ORDERS } from '../../../src/domain/list-orders.ts';
import { parseEmailAddress } from '../../../src/domain/email-address.ts';
import { client } from '../api/client.ts';
import { Empty } from '../parts/empty.tsx';
import { ActBar } from '../parts/acts/act-bar.tsx';
import { END_SESSIONS, sessionName } from '../parts/acts/end-sessions.ts';
import { useActs } from '../parts/acts/use-acts.tsx';
import { useChosen } from '../parts/acts/use-chosen.ts';
import { ListTotal } from '../parts/list-total.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { personAccessHref } from '../parts/person-access.ts';
import { RowMenu } from '../parts/row-menu.tsx';
import { useTypedQueryValue } from '../parts/typed-query-value.ts';
import { useList } from '../parts/use-list.ts';
import { useSort } from '../parts/use-sort.ts';
import { SavedViews } from '../parts/views/saved-views.tsx';
import { hrefTo, Link, useQueryValue } from '../router.tsx';
import type { AreaProps } from '../parts/area-props.ts';
import { NothingHere } from '../parts/nothing-here.tsx';
import { useMay, useMember } from '../shell/session-context.ts';
import { EndAllOf } from './end-all-of.tsx';
import { PersonAccessPage } from './person-access-page.tsx';
import { onlyProviderOf, sessionColumns } from './session-columns.tsx';
import { countText } from './session-words.ts';
import { useProviderTitles } from '../parts/use-providers.ts';
import './sessions.css';

export function SessionsArea({ path }: AreaProps) {
  if (path.length === 0) return <SessionsPage />;
  return path.length === 1 && path[0] === 'access' ? <PersonAccessPage /> : <NothingHere />;
}

function SessionsPage() {
  const may = useMay();
  const { account } = useMember();
  const mayEnd = may('sessions.end');
  const [person] = useQueryValue('email');
  const [typed, type] = useTypedQueryValue('email');
  const [share, setShare] = useQueryValue('share');
  const [wantedState, setState] = useQueryValue('state');
  const state = wantedState === 'ended' ? 'ended' : 'active';
  const email = parseEmailAddress(person);
  const wanted = {
    // A whole address is one person, whose sessions can be ended together.
    ...(email === null ? { q: person || undefined } : { email }),
    share: share || undefined,
    state,
  } as const;
  const [sort, listSort] = useSort(SESSION_ORDERS);
  const list = useList(
    ['sessions', wanted, sort],
    (cursor) => client.sessions.list({ ...wanted, sort, cursor, limit: PAGE }),
    LIVE_MS,
  );
  const chosen = useChosen(list.items, ({ id }) => id);
  const { ask, dialog } = useActs({ nameOf: sessionName, listKey: ['sessions'], left: chosen.keep });
  const isEnding = mayEnd && state === 'active';
  const provider = onlyProviderOf(list.items);
  const { titleOf } = useProviderTitles();
  const actions: Column<SessionObject> = {
    title: 'Actions',
    kind: 'actions',
    cell: (session) => (
      <RowMenu
        about={sessionName(session)}
        acts={[
          { label: 'What they can open', href: personAccessHref(session) },
          ...(isEnding
            ? [{ label: 'End the session', isDanger: true, run: () => ask(END_SESSIONS, [session]) }]
            : []),
        ]}
      />
    ),
  };
  const isFiltered = person !== '' || share !== '';
  return (
    <>
      <PageHead
        title="Sessions"
        about="Who is logged in, from where and with what. The list refreshes every five seconds."
      />
      <div className="toolbar" role="search" aria-label="Sessions">
        <input
          type="search"
          aria-label="Person"
          placeholder="Email address"
          value={typed}
          onChange={({ target }) => type(target.value)}
        />
        <ShareFilter share={share} change={setShare} />
        <select
          aria-label="State"
          value={state === 'ended' ? 'ended' : ''}
          onChange={({ target }) => setState(target.value)}
        >
          <option value="">Active</option>
          <option value="ended">Recently ended</option>
        </select>
        <SavedViews account={account.id} list="sessions" holds={HOLDS} />
        {isEnding && email !== null && typed === person && list.items.length > 0 && !list.isEarlier && (
          <EndAllOf email={email} isOnEveryShare={share === ''} list={list} />
        )}
        <Link className="button" href={personAccessHref(email === null ? {} : { email })}>
          {email === null ? 'What a person can open' : 'What they can open'}
        </Link>
        {email !== null && may('certificates.read') && (
          <Link className="button" href={`${hrefTo('certificates')}?${new URLSearchParams({ q: email })}`}>
            Their certificates
          </Link>
        )}
      </div>
      <ListTotal>
        {countText(list, { state, provider: provider === null ? null : titleOf(provider) })}
      </ListTotal>
      <ActBar chosen={chosen} acts={[END_SESSIONS]} ask={ask} />
      <ListView
        list={list}
        label="Sessions"
        id={({ id }) => id}
        nameOf={sessionName}
        sort={listSort}
        {...(isEnding ? { chosen } : {})}
        columns={[...sessionColumns({ state, hasOneProvider: provider !== null }), actions]}
        empty={isFiltered ? <NobodyLikeThat /> : <Nobody state={state} />}
      />
      {dialog}
    </>
  );
}

/** Shares by their names, and the one of the address even if it is gone. */
function ShareFilter({
  share,
  change,
}: {
  readonly share: string;
  readonly change: (share: string) => void;
}) {
  const shares = useQuery({
    queryKey: ['shares', 'names'],
    queryFn: () => client.shares.list({ limit: MOST_SHARES }),
  });
  const names = new Set(shares.data?.items.map(({ name }) => name));
  if (share !== '') names.add(share);
  return (
    <select aria-label="Share" value={share} onChange={({ target }) => change(target.value)}>
      <option value="">Every share</option>
      {[...names].map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Nobody({ state }: { readonly state: 'active' | 'ended' }) {
  if (state === 'ended')
    return (
      <Empty icon="sessions" title="No recently ended sessions">
        <p>Sessions that ended or expired stay here for a while.</p>
      </Empty>
    );
  return (
    <Empty icon="sessions" title="No active sessions">
      <p>
        Visitors who log in to a share appear here until their session ends. Open the address of a share with
        a login to be the first.
      </p>
      <p>
        <Link className="button" href={hrefTo('shares')}>
          See the shares
        </Link>
      </p>
    </Empty>
  );
}

function NobodyLikeThat() {
  return (
    <Empty icon="search" title="No matching sessions">
      <p>Search by any part of the email address.</p>
      <p>
        <Link className="button" href={hrefTo('sessions')}>
          Show everyone
        </Link>
      </p>
    </Empty>
  );
}

/** What a saved view keeps of the address. */
const HOLDS = ['email', 'share', 'state', 'sort'];
const PAGE = 100;
const LIVE_MS = 5_000;
/** As many as the API gives at once; any other is found on its own page. */
const MOST_SHARES = 200;
