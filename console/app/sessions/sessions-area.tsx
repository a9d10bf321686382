// Below /console/sessions: who is in, from where, with what; and how that is ended.

import { useQueryClient } from '@tanstack/react-query';
import type { SessionObject } from '../../../src/client/session-object.ts';
import { client } from '../api/client.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useTell } from '../parts/toast.tsx';
import { useList } from '../parts/use-list.ts';
import { hrefTo, Link, useQueryValue } from '../router.tsx';
import { type AreaProps, NothingHere } from '../shell/pages.tsx';

export function SessionsArea({ path }: AreaProps) {
  return path.length === 0 ? <SessionsPage /> : <NothingHere />;
}

function SessionsPage() {
  const [email, setEmail] = useQueryValue('email');
  const [share, setShare] = useQueryValue('share');
  const wanted = { email: email || undefined, share: share || undefined, state: 'active' } as const;
  const list = useList(
    ['sessions', wanted],
    (cursor) => client.sessions.list({ ...wanted, cursor, limit: PAGE }),
    LIVE_MS,
  );
  const end = useEnd();
  return (
    <>
      <PageHead title="Sessions">
        <input
          type="search"
          aria-label="Only of this address"
          placeholder="Address"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <input
          type="search"
          aria-label="Only of this share"
          placeholder="Share"
          value={share}
          onChange={(event) => setShare(event.target.value)}
        />
        {email !== '' && list.items.length > 0 && (
          <Confirm
            label={`End all of ${email}`}
            title={`End every session of ${email}?`}
            action="End them"
            run={() => end.allOf(email)}
          >
            <p>
              On every share, within two seconds, with open streams. They may log in again if the rules still
              let them.
            </p>
          </Confirm>
        )}
      </PageHead>
      <ListView
        list={list}
        label="Sessions"
        id={({ id }) => id}
        columns={[
          ...COLUMNS,
          {
            title: 'End',
            cell: (session) => (
              <button type="button" onClick={() => void end.one(session)}>
                End
              </button>
            ),
          },
        ]}
        empty={
          <Empty title="Nobody is in">
            <p>Whoever logs in to a share is listed here, until they log out, are ended or expire.</p>
          </Empty>
        }
      />
    </>
  );
}

function useEnd() {
  const queries = useQueryClient();
  const tell = useTell();
  const anew = () => queries.invalidateQueries({ queryKey: ['sessions'] });
  return {
    one: async ({ id, email, share }: SessionObject) => {
      try {
        await client.sessions.end(id);
        tell('The session was ended', `${email} at ${share ?? 'a share that is gone'}`);
      } catch (error) {
        tell('The session was not ended', error instanceof Error ? error.message : undefined);
      }
      await anew();
    },
    allOf: async (email: string) => {
      const { ended } = await client.sessions.endAll({ email });
      tell(ended === 1 ? 'One session was ended' : `${ended} sessions were ended`);
      await anew();
    },
  };
}

const COLUMNS: readonly Column<SessionObject>[] = [
  { title: 'Who', cell: ({ email }) => email },
  {
    title: 'Share',
    cell: ({ share }) => (share === null ? 'gone' : <Link href={hrefTo('shares', share)}>{share}</Link>),
  },
  { title: 'By', cell: ({ provider }) => provider },
  { title: 'From', cell: ({ ip }) => ip ?? 'unknown' },
  { title: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Last seen', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
  { title: 'Until', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
];

const PAGE = 100;
const LIVE_MS = 5_000;
