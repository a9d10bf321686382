// Confirming a session, once and in time, by the browser that set out; and the end of those that nobody
// confirmed. Until then a session opens nothing and ends nothing.
//
//   begun ──confirm()──▶ counts, what it takes the place of ends
//     └──time is up──▶ endUnconfirmed() ──▶ ended, its tokens to be revoked

import type { Kysely } from 'kysely';
import type { SessionState } from '../../domain/session.ts';
import { appendEvents } from '../audit/audit.ts';
import type { Records } from '../records.ts';
import { endSessions } from './end.ts';
import { endNamed, endReplaced } from './replaced.ts';
import { STATE_COLUMNS, toSession, toState } from './row.ts';
import type { SessionRow } from './session.ts';
import type { SessionTable } from './session-table.ts';
import type { Tables } from '../tables.ts';

export function confirmSession(
  { read, write, clock, locks }: Records,
  confirmation: Parameters<SessionTable['confirm']>[0],
): Promise<SessionState | null> {
  const { id, shareId, bindingHash, setOutAt, former, at } = confirmation;
  return write(async (writing) => {
    const { db, note } = writing;
    const known = await read
      .selectFrom('sessions')
      .select('browser_hash')
      .where('id', '=', id)
      .executeTakeFirst();
    if (known === undefined) return null;
    // Before any other lock, as `begin()` takes it: logins of one browser go one after the other.
    await locks.name(db, `browser ${known.browser_hash}`);
    const session = await db
      .updateTable('sessions')
      .set({ confirm_by: null })
      .where('id', '=', id)
      .where('share_id', '=', shareId)
      .where('binding_hash', '=', bindingHash)
      .where('confirm_by', '>', clock())
      .where('expires_at', '>', clock())
      .where('ended_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (session === undefined) return stateOf(db, id);
    note({ kind: 'session', id });
    const replacing = { session, setOutAt, at };
    await endReplaced(writing, replacing);
    await endNamed(writing, former, { ...replacing, butOfBrowser: session.browser_hash });
    return toState(session);
  });
}

/** Some at a time; those left are next time's. Looked for without a write, since mostly there are none. */
export async function endUnconfirmed(
  records: Records,
  { reason, at, eventOf }: Parameters<SessionTable['endUnconfirmed']>[0],
): Promise<readonly SessionRow[]> {
  const { read, write, clock, locks } = records;
  const due = await dueSessions(read, clock()).select('id').execute();
  if (due.length === 0) return [];
  return write(async (writing) => {
    const { db } = writing;
    const rows = await dueSessions(db, clock())
      .selectAll()
      // In one order, so that two who end the same sessions wait for each other instead of deadlocking.
      .orderBy('id')
      .modifyEnd(locks.changing)
      .execute();
    const ending = { reason, at, owesTokens: true };
    await endSessions(writing, { column: 'id', values: rows.map(({ id }) => id) }, ending);
    const ended = rows.map(toSession);
    await appendEvents(records, db, ended.map(eventOf));
    return ended;
  });
}

function dueSessions(db: Kysely<Tables>, now: ReturnType<Records['clock']>) {
  return db
    .selectFrom('sessions')
    .where('confirm_by', '<=', now)
    .where('ended_at', 'is', null)
    .limit(MOST_AT_ONCE);
}

async function stateOf(db: Kysely<Tables>, id: string): Promise<SessionState | null> {
  const row = await db.selectFrom('sessions').select(STATE_COLUMNS).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toState(row);
}

/** A transaction that no login notices. */
const MOST_AT_ONCE = 200;
