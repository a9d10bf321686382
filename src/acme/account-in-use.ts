// The account that orders: registered where it is not yet, and led to its next key where it has one. The next
// key is in the store before the server hears of it, so whichever of the two it goes by after a crash, it is
// known.

import type { AcmeAccount } from '../store/acme/acme.ts';
import { AcmeFault } from './acme-fault.ts';
import { changeAccountKey, findAccount, registerAccount } from './account.ts';
import type { Signer } from './connection.ts';
import type { OrdererDeps } from './orderer-deps.ts';

export async function signerFor(
  { connection, store, holder, email, externalAccount, log }: OrdererDeps,
  { id, privateKey, nextKey }: AcmeAccount,
): Promise<Signer> {
  const wish = { privateKey, email, externalAccount };
  if (nextKey === null) return registerAccount(connection, wish);
  let signer = await findAccount(connection, nextKey);
  if (signer === null) {
    const former = await registerAccount(connection, wish);
    try {
      signer = await changeAccountKey(connection, former, nextKey);
    } catch (error) {
      if (!isRefusal(error) || (await findAccount(connection, nextKey)) !== null) throw error;
      // It says no, and would again: no certificate is to end for it.
      await store.acme.setNextKey(holder, id, null);
      log.error({ err: error }, 'Cannot change the key of the ACME account: the former stays');
      return former;
    }
  }
  await store.acme.useNextKey(holder, id);
  log.info({ account: signer.kid }, 'Changed the key of the ACME account');
  return signer;
}

function isRefusal(error: unknown): boolean {
  return error instanceof AcmeFault && error.kind !== 'server' && error.kind !== 'limited';
}
