// One check per session over all gateways: a lease taken by one conditional UPDATE on the store's clock, with
// a fencing number. No transaction is open while its holder talks to the provider (DESIGN "Check interval").
//
//   free ──lease()──▶ held, fence + 1 ──checked() or release()──▶ free
//                       └──time is up──▶ free for the next; the late holder's fence is refused

import type { SessionTable } from './session-table.ts';
import { appendEvents } from '../audit/audit.ts';
import { flag } from '../columns.ts';
import type { Records } from '../records.ts';
import { factsText, STATE_COLUMNS, openTokens, sealTokens, toSession, toState } from './row.ts';

type LeaseOperations = Pick<SessionTable, 'lease' | 'storeTokens' | 'checked' | 'release'>;

export function createLeases(records: Records): LeaseOperations {
  return {
    lease: (id, leaseMs) => takeLease(records, id, leaseMs),
    storeTokens: (lease, tokens) => storeTokens(records, lease, tokens),
    checked: (lease, found) => markChecked(records, lease, found),
    release: (lease) => releaseLease(records, lease),
  };
}

function takeLease(
  { write, clock, seal }: Records,
  ...[id, leaseMs]: Parameters<SessionTable['lease']>
): ReturnType<SessionTable['lease']> {
  return write(async ({ db }) => {
    const row = await db
      .updateTable('sessions')
      .set((eb) => ({
        leased_until: eb(clock(), '+', leaseMs),
        fence: eb('fence', '+', 1),
      }))
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', clock())
      .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', clock())]))
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return null;
    const session = toSession(row);
    const { facts } = toState(row);
    const tokens = openTokens(seal, session, row.tokens);
    return { row: session, tokens, fence: row.fence, ...(facts === undefined ? {} : { facts }) };
  });
}

function storeTokens(
  { write }: Records,
  ...[lease, tokens]: Parameters<SessionTable['storeTokens']>
): ReturnType<SessionTable['storeTokens']> {
  return write(async ({ db, sealer, note }) => {
    const sealed = sealTokens(await sealer(), lease.row, tokens);
    const updated = await db
      .updateTable('sessions')
      .set({ tokens: sealed, refreshable: flag(tokens.refreshToken !== null) })
      .where('id', '=', lease.row.id)
      .where('fence', '=', lease.fence)
      .where('leased_until', 'is not', null)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (updated.numUpdatedRows !== 1n) return false;
    note({ kind: 'session', id: lease.row.id });
    return true;
  });
}

function markChecked(
  records: Records,
  ...[lease, { facts, event } = {}]: Parameters<SessionTable['checked']>
): ReturnType<SessionTable['checked']> {
  const { write, clock } = records;
  return write(async ({ db, note }) => {
    const row = await db
      .updateTable('sessions')
      .set({ checked_at: clock(), leased_until: null })
      .set(facts === undefined ? {} : { facts: factsText(facts) })
      .where('id', '=', lease.row.id)
      .where('fence', '=', lease.fence)
      .where('leased_until', 'is not', null)
      .where('ended_at', 'is', null)
      .returning(STATE_COLUMNS)
      .executeTakeFirst();
    if (row === undefined) return null;
    note({ kind: 'session', id: lease.row.id });
    if (event !== undefined) await appendEvents(records, db, [event]);
    return toState(row);
  });
}

function releaseLease(
  { write }: Records,
  ...[lease]: Parameters<SessionTable['release']>
): ReturnType<SessionTable['release']> {
  return write(async ({ db }) => {
    await db
      .updateTable('sessions')
      .set({ leased_until: null })
      .where('id', '=', lease.row.id)
      .where('fence', '=', lease.fence)
      .execute();
  });
}
