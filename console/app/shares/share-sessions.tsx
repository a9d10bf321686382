// Who is in at a share now, live, and how that is ended.

import { useQueryClient } from '@tanstack/react-query';
import type { SessionObject } from '../../../src/wire/session.ts';
import type { ShareObject } from '../../../src/wire/share.ts';
import { client } from '../api/client.ts';
import { Confirm } from '../parts/confirm.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { Panel } from '../parts/panel.tsx';
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
  if (!hasLogins(share)) return null;
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
      <ListView
        list={{ ...list, more: null }}
        label="Sessions at this share"
        id={({ id }) => id}
        columns={mayEnd ? [...COLUMNS, END] : COLUMNS}
        empty={<p className="soft">No active sessions. Visitors who log in appear here.</p>}
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<SessionObject>[] = [
  { title: 'Who', kind: 'address', cell: ({ email }) => email },
  { title: 'From', kind: 'address', cell: ({ ip }) => ip ?? 'unknown' },
  { title: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Last seen', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
];
const END: Column<SessionObject> = {
  title: 'End',
  kind: 'actions',
  cell: (session) => <EndOne session={session} />,
};

function EndOne({ session: { id, email } }: { readonly session: SessionObject }) {
  const queries = useQueryClient();
  const tell = useTell();
  const end = async () => {
    await client.sessions.end(id);
    tell('The session was ended', email);
    await queries.invalidateQueries({ queryKey: ['sessions'] });
  };
  return (
    <Confirm
      quiet
      label="End"
      about={`End the session of ${email}`}
      title={`End this session of ${email}?`}
      action="End it"
      run={end}
    >
      <p>
        It ends within two seconds, including open streams. They may log in again if the rules still allow it.
      </p>
    </Confirm>
  );
}

function EndAll({ share: { id, name } }: { readonly share: ShareObject }) {
  const queries = useQueryClient();
  const tell = useTell();
  const end = async () => {
    const { ended } = await client.sessions.endAll({ share: id });
    tell(ended === 1 ? 'One session was ended' : `${ended} sessions were ended`);
    await queries.invalidateQueries({ queryKey: ['sessions'] });
  };
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
const LIVE_MS = 5_000;
