// Where somebody is logged in, and how to end that.

import { useQueryClient } from '@tanstack/react-query';
import type { OwnSessionObject } from '../../../src/wire/own.ts';
import { client } from '../api/client.ts';
import { Confirm } from '../parts/confirm.tsx';
import { endedText } from '../parts/ended-text.ts';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { Panel } from '../parts/panel.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useTell } from '../parts/toast.tsx';
import { useList } from '../parts/use-list.ts';
import { browserWords } from '../parts/user-agent.ts';

export function OwnSessions() {
  const list = useList(KEY, async () => ({ ...(await client.own.sessions()), nextCursor: null }), LIVE_MS);
  const end = useEnd();
  return (
    <Panel
      title="Where you are logged in"
      about="If you do not recognize a session, end it, and tell whoever runs that app."
      actions={
        list.items.length > 1 && (
          <Confirm label="End all" title="Log out everywhere?" action="End all" run={end.all}>
            <p>
              This ends your sessions in every browser at once, and closes what is open there. You can log in
              again.
            </p>
          </Confirm>
        )
      }
    >
      <ListView
        list={list}
        label="Where you are logged in"
        id={({ id }) => id}
        columns={[
          ...COLUMNS,
          {
            title: 'End',
            kind: 'actions',
            cell: (session) => (
              <Confirm
                quiet
                label="End"
                about={`End the session at ${shareOf(session)}`}
                title={`Log out of ${shareOf(session)}?`}
                action="End it"
                run={() => end.one(session)}
              >
                <p>The browser must log in again, and what is open there closes.</p>
              </Confirm>
            ),
          },
        ]}
        empty={
          <Empty title="You are not logged in anywhere" icon="sessions">
            <p>An app that you log in to is listed here until you log out or the session ends.</p>
          </Empty>
        }
      />
    </Panel>
  );
}

function useEnd() {
  const queries = useQueryClient();
  const tell = useTell();
  const refresh = () => queries.invalidateQueries({ queryKey: KEY });
  return {
    one: async (session: OwnSessionObject) => {
      await client.own.endSession(session.id);
      tell('The session was ended', shareOf(session));
      await refresh();
    },
    all: async () => {
      const { ended } = await client.own.endSessions();
      tell(endedText(ended));
      await refresh();
    },
  };
}

function shareOf({ share }: OwnSessionObject): string {
  return share ?? 'a deleted app';
}

const COLUMNS: readonly Column<OwnSessionObject>[] = [
  {
    title: 'Application',
    cell: (session) =>
      session.url === null ? (
        shareOf(session)
      ) : (
        <a href={session.url} target="_blank" rel="noreferrer">
          {shareOf(session)}
        </a>
      ),
  },
  {
    title: 'With',
    cell: ({ userAgent }) => (
      <span title={userAgent ?? 'Not recorded at the login.'}>{browserWords(userAgent)}</span>
    ),
  },
  { title: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Last used', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
  { title: 'From', kind: 'address', cell: ({ ip }) => ip ?? 'unknown' },
  { title: 'Ends', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
];

const KEY = ['own-sessions'] as const;
const LIVE_MS = 10_000;
