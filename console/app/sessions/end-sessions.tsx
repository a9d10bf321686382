// How sessions are ended: some that were chosen, or all of a person.

import { useQueryClient } from '@tanstack/react-query';
import type { SessionObject } from '../../../src/wire/session.ts';
import { client } from '../api/client.ts';
import type { Act } from '../parts/acts/act.ts';
import { Confirm } from '../parts/confirm.tsx';
import { endedText } from '../parts/ended-text.ts';
import { useTell } from '../parts/toast.tsx';
import type { List } from '../parts/use-list.ts';

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

type EndAllOfProps = {
  readonly email: string;
  /** Whether what is listed is all there is of the person. */
  readonly isOnEveryShare: boolean;
  readonly list: List<SessionObject>;
};

export function EndAllOf({ email, isOnEveryShare, list }: EndAllOfProps) {
  const { tell, refresh } = useAfter();
  const isAll = isOnEveryShare && list.more === null;
  const count = list.items.length;
  const what = !isAll ? 'every session' : count === 1 ? 'the one session' : `all ${count} sessions`;
  return (
    <Confirm
      label={`End ${what}`}
      title={`End ${what} of ${email}?`}
      action="End them"
      run={async () => {
        const { ended } = await client.sessions.endAll({ email });
        tell(endedText(ended), email);
        await refresh();
      }}
    >
      <p>
        This ends the sessions on every share of the account, also those not shown here, within two seconds,
        including open streams. They can log in again wherever a share lets them in.
      </p>
    </Confirm>
  );
}

function useAfter() {
  const queries = useQueryClient();
  return { tell: useTell(), refresh: () => queries.invalidateQueries({ queryKey: ['sessions'] }) };
}
