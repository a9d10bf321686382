// Certificate revocation lists (RFC 5280 section 5): version 2, with number and authority key.

import { contextTag, sequence, TAG, time, unsignedInteger, write } from './der.ts';
import {
  authorityKey,
  extension,
  type Issuer,
  signed,
  type Sign,
  SIGNATURE_ALGORITHM,
} from './certificate.ts';
import { OID } from './oid.ts';

export type RevokedEntry = {
  readonly serial: Uint8Array;
  readonly revokedAt: number;
  readonly reason: RevocationReason;
};

/** CRLReason (section 5.3.1), those that are given here. `unspecified` is said by leaving the reason away. */
export const REVOCATION_REASONS = {
  unspecified: 0,
  key_compromise: 1,
  affiliation_changed: 3,
  superseded: 4,
  cessation_of_operation: 5,
} as const;

export type RevocationReason = keyof typeof REVOCATION_REASONS;

export type CrlPlan = {
  readonly issuer: Issuer;
  /** Greater than that of each list before (section 5.2.3). */
  readonly number: number;
  readonly thisUpdate: number;
  readonly nextUpdate: number;
  /** Entries as `encodeEntry()` wrote them: of many, few are new. */
  readonly entries: readonly Uint8Array[];
};

export function encodeEntry({ serial, revokedAt, reason }: RevokedEntry): Uint8Array {
  const parts = [unsignedInteger(serial), time(revokedAt)];
  const code = REVOCATION_REASONS[reason];
  if (code !== 0) parts.push(sequence(extension(OID.reasonCode, write(TAG.enumerated, Uint8Array.of(code)))));
  return sequence(...parts);
}

export function revocationList(plan: CrlPlan, sign: Sign): Uint8Array<ArrayBuffer> {
  const extensions = sequence(
    authorityKey(plan.issuer.spki),
    extension(OID.crlNumber, unsignedInteger(octetsOf(plan.number))),
  );
  const body = sequence(
    VERSION_2,
    SIGNATURE_ALGORITHM,
    plan.issuer.name,
    time(plan.thisUpdate),
    time(plan.nextUpdate),
    // An empty list is left away (section 5.1.2.6).
    plan.entries.length === 0 ? new Uint8Array() : write(TAG.sequence, Buffer.concat(plan.entries)),
    write(contextTag(0, true), extensions),
  );
  return signed(body, sign);
}

function octetsOf(number: number): Uint8Array {
  const octets = Buffer.alloc(8);
  octets.writeBigUInt64BE(BigInt(number));
  return octets;
}

const VERSION_2 = unsignedInteger(Uint8Array.of(1));
