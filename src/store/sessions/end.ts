// Ending sessions, inside whatever transaction ends them: the row stays, its tokens go, or stay
// until they are revoked (`revoke.ts`), the gateways are told.

import type { Expression } from 'kysely';
import type { SessionId } from '../../domain/id.ts';
import { appendEvents } from '../audit/audit.ts';
import { inBatches } from '../columns.ts';
import type { Records, Writing } from '../records.ts';
import type { SessionEnding } from './session.ts';

type Ending = {
  readonly reason: string;
  readonly at: number | Expression<number>;
  /** Whoever ends them does not revoke their tokens: those stay, to be revoked soon. */
  readonly owesTokens?: boolean;
};

/** As `SessionTable.end`. */
export function endWithEvents(
  records: Records,
  ids: readonly SessionId[],
  { events, ...ending }: SessionEnding,
): Promise<readonly SessionId[]> {
  return records.write(async (writing) => {
    const ended = await endSessions(writing, { column: 'id', values: ids }, ending);
    await appendEvents(
      records,
      writing.db,
      ended.flatMap((id) => events?.get(id) ?? []),
    );
    return ended;
  });
}

/** Ends those of the chosen sessions that had not ended; answers which. */
export async function endSessions(
  { db, note }: Writing,
  chosen: { readonly column: 'id' | 'share_id' | 'account_id'; readonly values: readonly string[] },
  { reason, at, owesTokens = false }: Ending,
): Promise<readonly SessionId[]> {
  const ended: SessionId[] = [];
  for (const values of inBatches(chosen.values)) {
    const rows = await db
      .updateTable('sessions')
      .set({ ended_at: at, end_reason: reason, refreshable: 0, leased_until: null })
      .set(owesTokens ? { revoke_at: at } : { tokens: null, revoke_at: null })
      .where(chosen.column, 'in', values)
      .where('ended_at', 'is', null)
      .returning('id')
      .execute();
    for (const row of rows) {
      const id = row.id as SessionId;
      ended.push(id);
      note({ kind: 'session', id });
    }
  }
  return ended;
}
