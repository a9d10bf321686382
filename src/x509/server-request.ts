// Certificate signing requests for public servers (RFC 2986): the names stand in the subject alternative name
// alone (RFC 8555 section 7.4), as public authorities want it. The key is ECDSA on P-256.

import { bitString, contextTag, sequence, TAG, unsignedInteger, write } from './der.ts';
import { extension, type Sign } from './certificate.ts';
import { OID } from './oid.ts';

/** DER. `sign` answers ECDSA over SHA-256 as DER; `names` are ASCII, a wildcard's star included. */
export function serverRequest(
  { names, spki }: { readonly names: readonly string[]; readonly spki: Uint8Array },
  sign: Sign,
): Uint8Array<ArrayBuffer> {
  const extensions = sequence(extension(OID.subjectAlternativeName, dnsNames(names)));
  const attribute = sequence(OID.extensionRequest, write(TAG.set, extensions));
  const info = sequence(
    unsignedInteger(Uint8Array.of(0)),
    sequence(),
    spki,
    write(contextTag(0, true), attribute),
  );
  return sequence(info, sequence(OID.ecdsaWithSha256), bitString(sign(info)));
}

/** GeneralNames, each a dNSName (RFC 5280 section 4.2.1.6). */
export function dnsNames(names: readonly string[]): Uint8Array {
  return sequence(...names.map((name) => write(contextTag(2, false), Buffer.from(name, 'latin1'))));
}
