// Facts about the store itself. One so far: a sealed value that tells which master key is in force. Whoever
// seals reads it in the same transaction, so that once it was sealed again nothing more is sealed under the
// key before.

import type { Transaction } from 'kysely';
import { Secret, constantTimeEqual } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { ColumnSeal, Sealer } from './sealing/column-seal.ts';
import type { SealedPlace } from './sealing/sealed-columns.ts';
import type { Engine, Locks } from './engine.ts';
import type { Tables } from './tables.ts';

/**
 * Writes the check value into a new store. Throws `config_invalid` when this is not the key that an old one
 * was made with.
 */
export async function checkMasterKey(engine: Engine, seal: ColumnSeal): Promise<void> {
  const value = await engine.transact(async (db) => {
    await db
      .insertInto('meta')
      .values({ name: MASTER_KEY_CHECK, value: newCheck(seal.first) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return db
      .selectFrom('meta')
      .select('value')
      .where('name', '=', MASTER_KEY_CHECK)
      .executeTakeFirstOrThrow();
  });
  if (!opensCheck(seal, value.value))
    throw new ServiceError(
      'config_invalid',
      'Cannot open the database: it was created with another master key',
      {
        hint: 'Set store.master_key_file to the master key of this database.',
      },
    );
}

/** Whether one of the keys known opens it. */
export function opensCheck(seal: ColumnSeal, value: string): boolean {
  try {
    return constantTimeEqual(seal.open(PLACE, value).reveal(), EXPECTED);
  } catch {
    // The seal's own fault says no more than that it does not open.
    return false;
  }
}

/**
 * What every transaction that seals uses. Throws `store_unavailable` when another key is in force, unknown
 * here.
 */
export async function sealerInForce(
  db: Transaction<Tables>,
  { unchanged }: Locks,
  seal: ColumnSeal,
): Promise<Sealer> {
  const row = await db
    .selectFrom('meta')
    .select('value')
    .where('name', '=', MASTER_KEY_CHECK)
    .modifyEnd(unchanged)
    .executeTakeFirstOrThrow();
  try {
    return seal.sealerOf(PLACE, row.value);
  } catch (cause) {
    throw new ServiceError(
      'store_unavailable',
      'Cannot encrypt a value: the master key was rotated, and store.master_key_file does not contain the new one',
      { cause, hint: 'Copy the master key file from the machine where doorward key rotate ran.' },
    );
  }
}

/** From when this commits, every transaction seals under the key of `to`. Those that seal are waited for. */
export async function putInForce(engine: Engine, to: Sealer): Promise<void> {
  await engine.transact(async (db) => {
    await db
      .updateTable('meta')
      .set({ value: newCheck(to) })
      .where('name', '=', MASTER_KEY_CHECK)
      .execute();
  });
}

export function newCheck(sealer: Sealer): string {
  return sealer.seal(PLACE, new Secret(EXPECTED));
}

export const MASTER_KEY_CHECK = 'master_key_check';
const EXPECTED = 'doorward';
const PLACE: SealedPlace = { table: 'meta', column: 'value', rowId: MASTER_KEY_CHECK, accountId: '' };
