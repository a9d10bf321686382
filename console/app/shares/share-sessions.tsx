// Who is in at a share now, live: those whom the rules no longer let in first; and how that is ended.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SessionObject, SessionPage } from '../../../src/wire/session.ts';
import type { ShareObject } from '../../../src/wire/share.ts';
import { client } from '../api/client.ts';
import { ActBar } from '../parts/acts/act-bar.tsx';
import { END_SESSIONS, sessionName } from '../parts/acts/end-sessions.ts';
import { useActs } from '../parts/acts/use-acts.tsx';
import { useChosen } from '../parts/acts/use-chosen.ts';
import { Badge } from '../parts/badge.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { endedText } from '../parts/ended-text.ts';
import { type Column, ListView } from '../parts/list-view.tsx';
import { Note } from '../parts/note.tsx';
import { Panel } from '../parts/panel.tsx';
import { personAccessHref } from '../parts/person-access.ts';
import { RowMenu } from '../parts/row-menu.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useTell } from '../parts/toast.tsx';
import { useList } from '../parts/use-list.ts';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { hasLogins } from './share-words.ts';

export function ShareSessions({ share }: { readonly share: ShareObject }) {
  const mayEnd = useMay()('sessions.end');
  const list = useList(
    ['sessions', { share: share.id, shown: SHOWN }],
    (cursor) => client.sessions.list({ share: share.id, state: 'active', cursor, limit: SHOWN }),
    LIVE_MS,
  );
  const refused = useRefused(share);
  const sessions = withRefused(list.items, refused.items);
  const chosen = useChosen(sessions, ({ id }) => id);
  const { ask, dialog } = useActs({ nameOf: sessionName, listKey: ['sessions'], left: chosen.keep });
  if (!hasLogins(share)) return null;
  const actions: Column<SessionObject> = {
    title: 'Actions',
    kind: 'actions',
    cell: (session) => (
      <RowMenu
        about={sessionName(session)}
        acts={[
          { label: 'What they can open', href: personAccessHref(session) },
          ...(mayEnd
            ? [{ label: 'End the session', isDanger: true, run: () => ask(END_SESSIONS, [session]) }]
            : []),
        ]}
      />
    ),
  };
  return (
    <Panel
      title="Active sessions"
      actions={
        <>
          <Link href={`${hrefTo('sessions')}?${new URLSearchParams({ share: share.name })}`}>
            All sessions of {share.name}
          </Link>
          {mayEnd && list.items.length > 0 && <EndAll share={share} />}
        </>
      }
    >
      {refused.items.length > 0 && (
        <Note tone="warn">
          <p>{refusedText(refused.items.length, refused.nextCursor !== null)} Their requests are refused.</p>
          {mayEnd && (
            <p>
              <EndRefused share={share} />
            </p>
          )}
        </Note>
      )}
      <ActBar chosen={chosen} acts={[END_SESSIONS]} ask={ask} />
      <ListView
        list={{ ...list, items: sessions, more: null }}
        label="Sessions at this share"
        id={({ id }) => id}
        nameOf={sessionName}
        {...(mayEnd ? { chosen } : {})}
        columns={[...COLUMNS, actions]}
        empty={<p className="soft">No active sessions. Visitors who log in appear here.</p>}
      />
      {dialog}
    </Panel>
  );
}

/** One page: who is among the newest sessions is seen, and all are ended. Asked again when rules change. */
function useRefused(share: ShareObject): SessionPage {
  const { id, updatedAt } = share;
  const found = useQuery({
    queryKey: ['sessions', { share: id, admission: 'refused', updatedAt }],
    queryFn: () => client.sessions.list({ share: id, admission: 'refused', limit: MOST_REFUSED }),
    refetchInterval: REFUSED_LIVE_MS,
    enabled: hasLogins(share),
  });
  return found.data ?? NOBODY;
}

/** Those that are refused first, as many as they are; the newest of the others after them. */
function withRefused(
  newest: readonly SessionObject[],
  refused: readonly SessionObject[],
): readonly SessionObject[] {
  const ids = new Set(refused.map(({ id }) => id));
  return [...refused.slice(0, SHOWN), ...newest.filter(({ id }) => !ids.has(id))];
}

function refusedText(count: number, isMore: boolean): string {
  if (count === 1 && !isMore) return 'The rules no longer let in one of these people.';
  return `The rules no longer let in ${isMore ? `${count} or more` : count} of these people.`;
}

const COLUMNS: readonly Column<SessionObject>[] = [
  {
    title: 'Who',
    kind: 'address',
    cell: ({ email, refusal }) => (
      <>
        {email}
        {refusal !== undefined && (
          <span className="under">
            <Badge tone="warn">no longer let in</Badge> {refusal}
          </span>
        )}
      </>
    ),
  },
  { title: 'From', kind: 'address', cell: ({ ip }) => ip ?? 'unknown' },
  { title: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Last seen', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
];
function EndRefused({ share: { id, name } }: { readonly share: ShareObject }) {
  const end = useEndAll({ share: id, admission: 'refused' });
  return (
    <Confirm
      label="End these sessions"
      title={`End the sessions at ${name} that the rules no longer let in?`}
      action="End them"
      run={end}
    >
      <p>They end within two seconds, including open streams. Other sessions stay.</p>
    </Confirm>
  );
}

function useEndAll(chosen: Parameters<typeof client.sessions.endAll>[0]): () => Promise<void> {
  const queries = useQueryClient();
  const tell = useTell();
  return async () => {
    const { ended } = await client.sessions.endAll(chosen);
    tell(endedText(ended));
    await queries.invalidateQueries({ queryKey: ['sessions'] });
  };
}

function EndAll({ share: { id, name } }: { readonly share: ShareObject }) {
  const end = useEndAll({ share: id });
  return (
    <Confirm label="End all" title={`End every session at ${name}?`} action="End them" run={end}>
      <p>
        All sessions end within two seconds, including open streams. Visitors may log in again if the rules
        still allow it.
      </p>
    </Confirm>
  );
}

/** The latest; the page of sessions has them all. */
const SHOWN = 10;
const NOBODY: SessionPage = { items: [], nextCursor: null };
const MOST_REFUSED = 50;
const LIVE_MS = 5_000;
const REFUSED_LIVE_MS = 15_000;
