// What a definition's client proves itself with (contract 2.4), as a request gives it: written, and never
// read back.

import type { ProviderCredentialObject } from '../../wire/provider.ts';
import type { ClientCredential } from '../../domain/client-credential.ts';
import { Secret } from '../../domain/secret.ts';
import { CLIENT_KEY_WANTED, clientKeyFault, isClientKeyId } from '../../x509/client-key.ts';
import type { InputFault } from '../input-fault.ts';

/** What is wrong with it, whatever the type. */
export function credentialFaults({
  clientSecret,
  clientPrivateKey,
  clientKeyId,
}: ProviderCredentialObject): readonly InputFault[] {
  const faults: InputFault[] = [];
  const path = 'config.clientPrivateKey';
  if (clientSecret !== undefined && clientPrivateKey !== undefined)
    faults.push({ path, message: 'send either clientSecret or clientPrivateKey' });
  const wrong = clientPrivateKey === undefined ? null : clientKeyFault(clientPrivateKey);
  if (wrong !== null) faults.push({ path, message: `use ${CLIENT_KEY_WANTED}; found ${wrong}` });
  if (clientKeyId === undefined) return faults;
  if (clientPrivateKey === undefined)
    faults.push({ path: 'config.clientKeyId', message: 'send it with its clientPrivateKey' });
  else if (!isClientKeyId(clientKeyId))
    faults.push({
      path: 'config.clientKeyId',
      message: 'use 1 to 200 printable ASCII characters, no spaces',
    });
  return faults;
}

/** Of fields without a fault; null when none is given. */
export function givenCredential({
  clientSecret,
  clientPrivateKey,
  clientKeyId,
}: ProviderCredentialObject): ClientCredential | null {
  if (clientPrivateKey !== undefined)
    return {
      clientSecret: null,
      clientKey: { pem: new Secret(clientPrivateKey), keyId: clientKeyId ?? null },
    };
  return clientSecret === undefined ? null : { clientSecret: new Secret(clientSecret) };
}
