// Which targets took no connection when a gateway looked: one row, which whoever looks writes again. What it
// says counts for some minutes, so that nothing is said of a time when nobody looked, such as that of a
// backup.

import { sql } from 'kysely';
import type { AccountId } from '../../domain/id.ts';
import { inBatches } from '../columns.ts';
import type { Records } from '../records.ts';
import { takeTurn } from '../turn.ts';
import type { LookedAt } from './looked-at.ts';

/** As `ShareTable.takeLook`. */
export function takeLook(records: Records, holdMs: number): Promise<boolean> {
  return takeTurn(records, LOOK_UNTIL, holdMs);
}

/** As `ShareTable.targetsToLook`. */
export async function targetsToLook(
  { read }: Records,
  { after, most }: { readonly after: string | null; readonly most: number },
): Promise<{ readonly targets: readonly string[]; readonly next: string | null }> {
  const rows = await read
    .selectFrom('shares as share')
    .innerJoin('accounts as account', 'account.id', 'share.account_id')
    .where('account.suspended', '=', 0)
    .where('share.id', '>', after ?? '')
    .select(['share.id', 'share.target', 'share.enabled'])
    .orderBy('share.id')
    .limit(most)
    .execute();
  const targets = rows.flatMap(({ target, enabled }) => (enabled === 1 && target !== null ? [target] : []));
  return { targets: [...new Set(targets)], next: rows.length < most ? null : (rows.at(-1)?.id ?? null) };
}

/** As `ShareTable.looked`. */
export function noteLooked(records: Records, { looked, silent }: LookedAt): Promise<void> {
  return records.write(async ({ db }) => {
    const { now } = await db
      .selectNoFrom(sql<number>`${records.clock()}`.as('now'))
      .executeTakeFirstOrThrow();
    const at = Number(now);
    const row = await db
      .selectFrom('meta')
      .select('value')
      .where('name', '=', SILENT_TARGETS)
      .executeTakeFirst();
    const known = new Map(Object.entries(readSilent(row?.value)));
    for (const target of looked) known.delete(target);
    for (const target of silent) known.set(target, at);
    const kept = [...known].filter(([, since]) => at - since < COUNTS_MS).slice(-MOST_SILENT);
    const value = JSON.stringify(Object.fromEntries(kept));
    if (row?.value === value || (row === undefined && kept.length === 0)) return;
    await db
      .insertInto('meta')
      .values({ name: SILENT_TARGETS, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  });
}

/** Shares of an account that are on and whose target is silent, with when that was found last. */
export async function silentShares(
  { read }: Records,
  accountId: AccountId,
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const row = await read
    .selectFrom('meta')
    .select('value')
    .where('name', '=', SILENT_TARGETS)
    .executeTakeFirst();
  const silent = new Map(
    Object.entries(readSilent(row?.value)).filter(([, at]) => Math.abs(now - at) < COUNTS_MS),
  );
  const found = new Map<string, number>();
  for (const batch of inBatches([...silent.keys()])) {
    const rows = await read
      .selectFrom('shares')
      .select(['id', 'target'])
      .where('account_id', '=', accountId)
      .where('enabled', '=', 1)
      .where('target', 'in', batch)
      .execute();
    for (const { id, target } of rows) found.set(id, silent.get(target ?? '') ?? now);
  }
  return found;
}

/** What is there was written here. */
function readSilent(value: string | undefined): Readonly<Record<string, number>> {
  return value === undefined ? {} : (JSON.parse(value) as Record<string, number>);
}

const LOOK_UNTIL = 'target_look_until';
const SILENT_TARGETS = 'silent_targets';
/** Beyond that nobody looks any more, or only now and then, since there are so many. */
const COUNTS_MS = 3 * 60_000;
/** Some tens of KB; with more down at once, the operator's own network is. */
const MOST_SILENT = 500;
