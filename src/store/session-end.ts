// Ending sessions, inside whatever transaction ends them: the row stays, its tokens go, the gateways are told.

import type { Expression } from 'kysely';
import type { SessionId } from '../domain/id.ts';
import { inBatches } from './columns.ts';
import type { Writing } from './records.ts';

export type Ending = { readonly reason: string; readonly at: number | Expression<number> };

/** Ends those of the chosen sessions that had not ended; answers which. */
export async function endSessions(
  { db, note }: Writing,
  chosen: { readonly column: 'id' | 'share_id'; readonly values: readonly string[] },
  { reason, at }: Ending,
): Promise<readonly SessionId[]> {
  const ended: SessionId[] = [];
  for (const values of inBatches(chosen.values)) {
    const rows = await db
      .updateTable('sessions')
      .set({ ended_at: at, end_reason: reason, tokens: null, refreshable: 0, leased_until: null })
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
