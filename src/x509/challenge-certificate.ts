// The certificate that answers a TLS-ALPN-01 challenge (RFC 8737 section 3): self-signed, for that name
// alone, with the digest of the key authorization in an extension that no other verifier understands.

import { bitString, contextTag, sequence, TAG, time, unsignedInteger, write } from './der.ts';
import { extension, type Sign } from './certificate.ts';
import { encodeName } from './name.ts';
import { OID } from './oid.ts';
import { dnsNames } from './server-request.ts';

export type ChallengePlan = {
  readonly name: string;
  /** SHA-256 of the key authorization. */
  readonly digest: Uint8Array;
  /** ECDSA on P-256. */
  readonly spki: Uint8Array;
  readonly serial: Uint8Array;
  readonly now: number;
};

/** DER. `sign` answers ECDSA over SHA-256 as DER. */
export function challengeCertificate(plan: ChallengePlan, sign: Sign): Uint8Array<ArrayBuffer> {
  const subject = encodeName({
    commonName: 'ACME challenge',
    organization: null,
    organizationalUnit: null,
  });
  const algorithm = sequence(OID.ecdsaWithSha256);
  const body = sequence(
    write(contextTag(0, true), unsignedInteger(Uint8Array.of(2))),
    unsignedInteger(plan.serial),
    algorithm,
    subject,
    sequence(time(plan.now - DAY_MS), time(plan.now + DAY_MS)),
    subject,
    plan.spki,
    write(
      contextTag(3, true),
      sequence(
        extension(OID.subjectAlternativeName, dnsNames([plan.name])),
        sequence(
          OID.acmeIdentifier,
          write(0x01, Uint8Array.of(0xff)),
          write(TAG.octetString, write(TAG.octetString, plan.digest)),
        ),
      ),
    ),
  );
  return sequence(body, algorithm, bitString(sign(body)));
}

const DAY_MS = 86_400_000;
