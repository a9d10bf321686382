// The key that the certified provider signs with. To make an RSA key takes up to a fifth of a second: the
// gate makes one for all test files (`offerSigningKey`); a file that is run by hand makes its own.

import { generateKeyPairSync, type webcrypto } from 'node:crypto';

/** One for all stand-ins of this process: whom a token is from, its issuer says. */
export function signingKey(): webcrypto.JsonWebKey {
  const offered = process.env[OFFER];
  kept ??= offered === undefined ? newKey() : (JSON.parse(offered) as webcrypto.JsonWebKey);
  return kept;
}

/** One key for all test files of a run: they find it in the environment that `env` names. */
export function offerSigningKey(): { readonly env: Readonly<Record<string, string>> } {
  return { env: { [OFFER]: JSON.stringify(newKey()) } };
}

function newKey(): webcrypto.JsonWebKey {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
}

const OFFER = 'DOORWARD_TEST_SIGNING_KEY';
let kept: webcrypto.JsonWebKey | null = null;
