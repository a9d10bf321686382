// The credential of a provider definition, sealed. The version before knows a secret alone and sends whatever
// stands there: beside a private key that is a random one, which no provider takes. A secret that it sets
// later counts, since the key counts only while the random one is still there.

import { randomToken, Secret } from '../../domain/secret.ts';
import type { ClientCredential } from '../../domain/client-credential.ts';
import type { ColumnSeal, Sealer } from '../sealing/column-seal.ts';
import type { SealedPlace } from '../sealing/sealed-columns.ts';
import type { ProviderDefinitionsTable } from './tables.ts';

type CredentialColumns = Pick<ProviderDefinitionsTable, 'client_secret' | 'client_private_key'>;
type Row = { readonly id: string; readonly accountId: string };

/** Throws when there is neither a secret nor a key. */
export function sealCredential(
  sealer: Sealer,
  row: Row,
  { clientSecret, clientKey = null }: ClientCredential,
): CredentialColumns {
  if (clientKey === null) {
    if (clientSecret === null) throw new Error('Cannot seal a credential: there is none');
    return {
      client_secret: sealer.seal(placeOf(row, 'client_secret'), clientSecret),
      client_private_key: null,
    };
  }
  const standIn = randomToken();
  const key: StoredKey = { pem: clientKey.pem.reveal(), keyId: clientKey.keyId, standIn };
  return {
    client_secret: sealer.seal(placeOf(row, 'client_secret'), new Secret(standIn)),
    client_private_key: sealer.seal(placeOf(row, 'client_private_key'), new Secret(JSON.stringify(key))),
  };
}

/** Throws `internal` as any value that cannot be opened. */
export function openCredential(seal: ColumnSeal, row: Row, columns: CredentialColumns): ClientCredential {
  const clientSecret = seal.open(placeOf(row, 'client_secret'), columns.client_secret);
  if (columns.client_private_key === null) return { clientSecret };
  const opened = seal.open(placeOf(row, 'client_private_key'), columns.client_private_key);
  // What is there was written by `sealCredential`.
  const { pem, keyId, standIn } = JSON.parse(opened.reveal()) as StoredKey;
  if (clientSecret.reveal() !== standIn) return { clientSecret };
  return { clientSecret: null, clientKey: { pem: new Secret(pem), keyId } };
}

type StoredKey = { readonly pem: string; readonly keyId: string | null; readonly standIn: string };

function placeOf({ id, accountId }: Row, column: keyof CredentialColumns): SealedPlace {
  return { table: 'provider_definitions', column, rowId: id, accountId };
}
