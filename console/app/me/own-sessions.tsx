// Where somebody is logged in, and how to end that.

import { useQueryClient } from '@tanstack/react-query';
import type { OwnSessionObject } from '../../../src/wire/own.ts';
import { client } from '../api/client.ts';
import { Confirm } from '../parts/confirm.tsx';
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
      about="If you do not know one of these, end it, and tell whoever runs that application."
      actions={
        list.items.length > 1 && (
          <Confirm label="End all" title="Log out everywhere?" action="End all" run={end.all}>
            <p>
              In every browser, at once. What is open there closes. You can log in again wherever you may now.
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
                <p>The browser that uses it is asked to log in again, and what is open there closes.</p>
              </Confirm>
            ),
          },
        ]}
        empty={
          <Empty title="You are not logged in anywhere" icon="sessions">
            <p>When you log in to an application here, it is listed until you log out or your login ends.</p>
          </Empty>
        }
      />
    </Panel>
  );
}

function useEnd() {
  const queries = useQueryClient();
  const tell = useTell();
  const anew = () => queries.invalidateQueries({ queryKey: KEY });
  return {
    one: async (session: OwnSessionObject) => {
      await client.own.endSession(session.id);
      tell('The session was ended', shareOf(session));
      await anew();
    },
    all: async () => {
      const { ended } = await client.own.endSessions();
      tell(ended === 1 ? 'One session was ended' : `${ended} sessions were ended`);
      await anew();
    },
  };
}

function shareOf({ share }: OwnSessionObject): string {
  return share ?? 'an application that is gone';
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
      <span title={userAgent ?? 'It was not said at the login.'}>{browserWords(userAgent)}</span>
    ),
  },
  { title: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Last used', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
  { title: 'From', kind: 'address', cell: ({ ip }) => ip ?? 'unknown' },
  { title: 'Until', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
];

const KEY = ['own-sessions'] as const;
const LIVE_MS = 10_000;
