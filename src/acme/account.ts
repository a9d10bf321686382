// An account at an ACME server (RFC 8555 section 7.3): registered by its key, which may be registered again
// and is the same account then; its key can be replaced (section 7.3.5).

import type { Secret } from '../domain/secret.ts';
import { AcmeFault } from './acme-fault.ts';
import type { AcmeConnection, Signer } from './connection.ts';
import { accountKeyOf, signedJson } from './jws.ts';

export type AccountWish = {
  readonly privateKey: Secret;
  readonly email: string;
};

/** The account of that key, made where there is none. Throws `AcmeFault`. */
export async function registerAccount(
  connection: AcmeConnection,
  { privateKey, email }: AccountWish,
): Promise<Signer> {
  const { newAccount } = await connection.directory();
  const key = accountKeyOf(privateKey);
  const { location } = await connection.post(
    newAccount,
    // The operator agreed in the configuration, without which nothing is ever ordered.
    { termsOfServiceAgreed: true, contact: [`mailto:${email}`] },
    { ...key, kid: null },
    'register an account',
  );
  if (location === null)
    throw new AcmeFault('server', 'Cannot register an account: the ACME server gave no address of it');
  return { ...key, kid: location };
}

/** The account of that key; null where there is none. Throws `AcmeFault`. */
export async function findAccount(connection: AcmeConnection, privateKey: Secret): Promise<Signer | null> {
  const { newAccount } = await connection.directory();
  const key = accountKeyOf(privateKey);
  try {
    const { location } = await connection.post(
      newAccount,
      { onlyReturnExisting: true },
      { ...key, kid: null },
      'find an account',
    );
    return location === null ? null : { ...key, kid: location };
  } catch (error) {
    if (error instanceof AcmeFault && error.kind === 'account') return null;
    throw error;
  }
}

/** From its success on, the account goes by the new key alone. Throws `AcmeFault`. */
export async function changeAccountKey(
  connection: AcmeConnection,
  account: Signer,
  next: Secret,
): Promise<Signer> {
  const { keyChange } = await connection.directory();
  if (keyChange === null)
    throw new AcmeFault('order', 'Cannot change the account key: the ACME server has no address for it');
  const key = accountKeyOf(next);
  const inner = signedJson(
    { account: account.kid, oldKey: account.jwk },
    { jwk: key.jwk, url: keyChange },
    key,
  );
  await connection.post(keyChange, inner, account, 'change the account key');
  return { ...key, kid: account.kid };
}
