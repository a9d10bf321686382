// An account at an ACME server (RFC 8555 section 7.3): registered by its key, which may be registered again
// and is the same account then; its key can be replaced (section 7.3.5).

import type { ExternalAccount } from '../config/config.ts';
import type { Secret } from '../domain/secret.ts';
import { AcmeFault } from './acme-fault.ts';
import type { AcmeConnection, Signer } from './connection.ts';
import { type AccountKey, accountKeyOf, macedJson, type Signed, signedJson } from './jws.ts';

export type AccountWish = {
  readonly privateKey: Secret;
  readonly email: string;
  /** Null where the server registers anybody. */
  readonly externalAccount: ExternalAccount | null;
};

/** The account of that key, made where there is none. Throws `AcmeFault`. */
export async function registerAccount(
  connection: AcmeConnection,
  { privateKey, email, externalAccount }: AccountWish,
): Promise<Signer> {
  const { newAccount, externalAccountRequired } = await connection.directory();
  const key = accountKeyOf(privateKey);
  if (externalAccount !== null || externalAccountRequired) {
    // Authorities take a binding once, and for some days: an account that is there is not bound again.
    const found = await findAccount(connection, privateKey);
    if (found !== null) return found;
  }
  if (externalAccount === null && externalAccountRequired) throw new AcmeFault('account', NEEDS_BINDING);
  const { location } = await connection.post(
    newAccount,
    {
      // The operator agreed in the configuration, without which nothing is ever ordered.
      termsOfServiceAgreed: true,
      contact: [`mailto:${email}`],
      ...(externalAccount === null
        ? {}
        : { externalAccountBinding: binding(externalAccount, newAccount, key) }),
    },
    { ...key, kid: null },
    'register an account',
  );
  if (location === null)
    throw new AcmeFault('server', 'Cannot register an account: the ACME server gave no address of it');
  return { ...key, kid: location };
}

/** RFC 8555 section 7.3.4. */
function binding({ kid, hmacKey }: ExternalAccount, url: string, { jwk }: AccountKey): Signed {
  return macedJson(jwk, { kid, url }, hmacKey);
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

const NEEDS_BINDING =
  'Cannot register an account: the ACME server requires external account binding; set acme.eab in the configuration';
