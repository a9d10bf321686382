// Keys that somebody else has, too: an account's, by their hash. None gets a certificate of that account any
// more. What is certified at the same moment waits for the mark, or is found and revoked with it.

import type { Transaction } from 'kysely';
import type { Certificate } from '../../domain/certificate.ts';
import type { AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { inBatches } from '../columns.ts';
import { compiledOnce } from '../compiled.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';

type Asking = { readonly db: Transaction<Tables>; readonly locks: Records['locks'] };

/**
 * Nobody marks a key of the account until the transaction ends. First in it. Throws `csr_refused` for a key
 * that is marked.
 */
export async function requireUncompromised(
  { db, locks }: Asking,
  { accountId, keyHash }: Pick<Certificate, 'accountId' | 'keyHash'>,
): Promise<void> {
  await locks.sharedName(db, lockName(accountId));
  const { rows } = await markOf({ db, locks }, { id: idOf(accountId, keyHash) });
  if (rows.length === 0) return;
  throw new ServiceError('csr_refused', `Cannot sign the request: it is ${REASON}`, {
    extra: { reason: REASON },
    hint: 'Create a new key, and send a request for it.',
  });
}

/** Nobody certifies a key of the account until the transaction ends. First in it. */
export function waitForCertifying({ db, locks }: Asking, accountId: AccountId): Promise<void> {
  return locks.name(db, lockName(accountId));
}

export type CompromisedKeys = {
  readonly accountId: AccountId;
  readonly keyHashes: readonly string[];
  readonly at: number;
  readonly by: string;
};

export async function markCompromised(
  db: Transaction<Tables>,
  { accountId, keyHashes, at, by }: CompromisedKeys,
): Promise<void> {
  for (const batch of inBatches(keyHashes))
    await db
      .insertInto('compromised_keys')
      .values(
        batch.map((keyHash) => ({
          id: idOf(accountId, keyHash),
          account_id: accountId,
          key_hash: keyHash,
          marked_at: at,
          marked_by: by,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

function idOf(accountId: AccountId, keyHash: string): string {
  return `${accountId} ${keyHash}`;
}

function lockName(accountId: AccountId): string {
  return `compromised keys of ${accountId}`;
}

const markOf = compiledOnce(({ db }, { id }: { readonly id: string }) =>
  db.selectFrom('compromised_keys').select('id').where('id', '=', id),
);
const REASON = 'for a compromised key';
