// Ends sessions, in the list of sessions, on a person's page and on a share's.

import type { SessionObject } from '../../../../src/wire/session.ts';
import { client } from '../../api/client.ts';
import type { Act } from './act.ts';

/** One of them, or several that were chosen. */
export const END_SESSIONS: Act<SessionObject> = {
  label: 'End',
  isDanger: true,
  isFor: ({ active }) => active,
  question: (sessions) => {
    const [first] = sessions;
    return sessions.length === 1 && first !== undefined
      ? `End the session of ${sessionName(first)}?`
      : `End ${sessions.length} sessions?`;
  },
  about:
    'They end on every gateway within two seconds, including open streams. These people can log in again as long as the shares let them in: to keep them out, change who gets in there.',
  action: 'End them',
  done: (count) => (count === 1 ? 'The session was ended' : `${count} sessions were ended`),
  run: ({ id }) => client.sessions.end(id),
};

export function sessionName({ email, share }: SessionObject): string {
  return `${email} at ${share ?? 'a deleted share'}`;
}
