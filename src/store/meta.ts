// Facts about the store itself. One so far: a sealed value that tells whether the master key is the store's own.

import { Secret, constantTimeEqual } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { ColumnSeal } from './column-seal.ts';
import type { Engine } from './engine.ts';

/** Writes the check value into a new store. Throws `config_invalid` when this is not the key that an old one was made with. */
export async function checkMasterKey(engine: Engine, seal: ColumnSeal): Promise<void> {
  const value = await engine.transact(async (db) => {
    await db
      .insertInto('meta')
      .values({ name: CHECK, value: seal.seal(PLACE, new Secret(EXPECTED)) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const row = await db
      .selectFrom('meta')
      .select('value')
      .where('name', '=', CHECK)
      .executeTakeFirstOrThrow();
    return row.value;
  });
  if (!opens(seal, value))
    throw new ServiceError(
      'config_invalid',
      'Cannot open store: the master key is not the one it was made with',
      {
        hint: 'point store.master_key_file at the key that was in use when this store was made',
      },
    );
}

function opens(seal: ColumnSeal, value: string): boolean {
  try {
    return constantTimeEqual(seal.open(PLACE, value).reveal(), EXPECTED);
  } catch {
    // The seal's own fault says no more than that it does not open.
    return false;
  }
}

const CHECK = 'master_key_check';
const EXPECTED = 'doorward';
const PLACE = { table: 'meta', column: 'value', rowId: CHECK, accountId: '' };
