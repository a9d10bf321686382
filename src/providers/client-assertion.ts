// How a client proves itself by a key of its own: `private_key_jwt` (OpenID Connect Core section 9, RFC 7523
// section 2.2). Each call has an assertion of its own, which is good for a minute; the key itself is never
// sent.

import { createPrivateKey, type KeyObject } from 'node:crypto';
import * as oidc from 'openid-client';
import type { ClientKey } from '../domain/client-credential.ts';

/** The audience is the issuer, as the library has it. */
export function clientAssertion(metadata: oidc.ServerMetadata, { pem, keyId }: ClientKey): oidc.ClientAuth {
  const { alg, parameters, key } = signing(createPrivateKey(pem.reveal()), metadata);
  const signer = key.toCryptoKey(parameters, false, ['sign']);
  return oidc.PrivateKeyJwt(keyId === null ? signer : { key: signer, kid: keyId }, {
    [oidc.modifyAssertion]: (header, payload) => {
      header['alg'] = alg;
      // A provider whose clock is a second behind would refuse it.
      delete payload['nbf'];
    },
  });
}

type Signing = {
  readonly alg: string;
  readonly parameters: Parameters<KeyObject['toCryptoKey']>[0];
  readonly key: KeyObject;
};

/** By the key; where a key has two ways to sign, the one that the provider names. */
function signing(key: KeyObject, metadata: oidc.ServerMetadata): Signing {
  const named = metadata.token_endpoint_auth_signing_alg_values_supported;
  const prefer = (usual: string, other: string) =>
    Array.isArray(named) && named.includes(other) && !named.includes(usual) ? other : usual;
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return { alg: prefer('EdDSA', 'Ed25519'), parameters: 'Ed25519', key };
    case 'ec': {
      const isP256 = key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
      const namedCurve = isP256 ? 'P-256' : 'P-384';
      return { alg: isP256 ? 'ES256' : 'ES384', parameters: { name: 'ECDSA', namedCurve }, key };
    }
    default: {
      const alg = prefer('RS256', 'PS256');
      const name = alg === 'PS256' ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5';
      return { alg, parameters: { name, hash: 'SHA-256' }, key };
    }
  }
}
