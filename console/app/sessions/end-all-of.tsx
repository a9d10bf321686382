// Ends all sessions of a person.

import { useQueryClient } from '@tanstack/react-query';
import type { SessionObject } from '../../../src/wire/session.ts';
import { client } from '../api/client.ts';
import { Confirm } from '../parts/confirm.tsx';
import { endedText } from '../parts/ended-text.ts';
import { useTell } from '../parts/toast.tsx';
import type { List } from '../parts/use-list.ts';

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
