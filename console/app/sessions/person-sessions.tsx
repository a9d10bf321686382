// The active sessions of one person, to be ended here.

import type { SessionObject } from '../../../src/wire/session.ts';
import { client } from '../api/client.ts';
import { ActBar } from '../parts/acts/act-bar.tsx';
import { END_SESSIONS, sessionName } from '../parts/acts/end-sessions.ts';
import { useActs } from '../parts/acts/use-acts.tsx';
import { useChosen } from '../parts/acts/use-chosen.ts';
import { type Column, ListView } from '../parts/list-view.tsx';
import { Panel } from '../parts/panel.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import { useList } from '../parts/use-list.ts';
import { useMay } from '../shell/session-context.ts';
import { AllOfPerson } from './all-of-person.tsx';
import { personSessionColumns } from './session-columns.tsx';

export function PersonSessions({ email }: { readonly email: string }) {
  const mayEnd = useMay()('sessions.end');
  const list = useList(
    ['sessions', { person: email }],
    (cursor) => client.sessions.list({ email, state: 'active', cursor, limit: SHOWN }),
    LIVE_MS,
  );
  const chosen = useChosen(list.items, ({ id }) => id);
  const { ask, dialog } = useActs({ nameOf: sessionName, listKey: ['sessions'], left: chosen.keep });
  const actions: Column<SessionObject> = {
    title: 'Actions',
    kind: 'actions',
    cell: (session) => (
      <RowMenu
        about={sessionName(session)}
        acts={[{ label: 'End the session', isDanger: true, run: () => ask(END_SESSIONS, [session]) }]}
      />
    ),
  };
  return (
    <Panel
      title="Active sessions"
      actions={<AllOfPerson area="sessions" name="email" email={email} what="sessions" />}
    >
      <ActBar chosen={chosen} acts={[END_SESSIONS]} ask={ask} />
      <ListView
        list={{ ...list, more: null }}
        label="Active sessions of this person"
        id={({ id }) => id}
        nameOf={sessionName}
        {...(mayEnd ? { chosen } : {})}
        columns={mayEnd ? [...SESSIONS, actions] : SESSIONS}
        empty={<p className="soft">No active sessions.</p>}
      />
      {dialog}
    </Panel>
  );
}

const SESSIONS = personSessionColumns();
const SHOWN = 10;
const LIVE_MS = 5_000;
