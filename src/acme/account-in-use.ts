// The account that orders: registered where it is not yet, and led to its next key where it has one. The next
// key is in the store before the server hears of it, so whichever of the two it goes by after a crash, it is
// known.

import type { AcmeAccount } from '../store/acme/acme.ts';
import { changeAccountKey, findAccount, registerAccount } from './account.ts';
import type { Signer } from './connection.ts';
import type { OrdererDeps } from './orderer-deps.ts';

export async function signerFor(
  { connection, store, holder, email, log }: OrdererDeps,
  { id, privateKey, nextKey }: AcmeAccount,
): Promise<Signer> {
  if (nextKey === null) return registerAccount(connection, { privateKey, email });
  const changed = await findAccount(connection, nextKey);
  const signer =
    changed ??
    (await changeAccountKey(connection, await registerAccount(connection, { privateKey, email }), nextKey));
  await store.acme.useNextKey(holder, id);
  log.info({ account: signer.kid }, 'Changed the key of the ACME account');
  return signer;
}
