// Writes certificate signing requests (RFC 2986): whom the key belongs to is said by the token that it is
// redeemed with, so a request says nothing but the key.

import { bitString, contextTag, sequence, TAG, unsignedInteger, write } from './der.ts';
import { OID } from './oid.ts';

/** What signs, and how (RFC 5758 section 3.2, RFC 8410 section 3, RFC 4055 section 5). */
export type RequestSignature = 'ecdsa-sha256' | 'ecdsa-sha384' | 'ed25519' | 'rsa-sha256';

/** DER. `sign` answers the signature as its algorithm writes it, for ECDSA as DER. */
export async function certificationRequest(
  spki: Uint8Array,
  signature: RequestSignature,
  sign: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> {
  const info = sequence(unsignedInteger(Uint8Array.of(0)), sequence(), spki, write(contextTag(0, true)));
  return sequence(info, ALGORITHMS[signature], bitString(await sign(info)));
}

const ALGORITHMS: Readonly<Record<RequestSignature, Uint8Array>> = {
  'ecdsa-sha256': sequence(OID.ecdsaWithSha256),
  'ecdsa-sha384': sequence(OID.ecdsaWithSha384),
  ed25519: sequence(OID.ed25519),
  'rsa-sha256': sequence(OID.sha256WithRsa, write(TAG.null)),
};
