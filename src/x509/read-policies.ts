// The policies under which a certificate was issued (RFC 5280 section 4.2.1.4): what it says it is for,
// beside its usages.

import { contextTag, DerError, DerReader, readWhole, TAG } from './der.ts';
import { OID } from './oid.ts';
import { fromSubject } from './subject-name.ts';

/**
 * Whether it says `policy`; true, too, where that cannot be read, so that a policy that narrows is never
 * overlooked. Never throws.
 */
export function mayHavePolicy(certificate: Uint8Array, policy: Uint8Array): boolean {
  try {
    return readPolicies(certificate).some((each) => Buffer.from(each).equals(policy));
  } catch (error) {
    if (error instanceof DerError) return true;
    throw error;
  }
}

/** Object identifiers, with tag and length. Throws `DerError`. */
function readPolicies(certificate: Uint8Array): readonly Uint8Array[] {
  const policies: Uint8Array[] = [];
  for (const value of extensionValues(certificate, OID.certificatePolicies)) {
    const list = new DerReader(readWhole(value, TAG.sequence, 'policies').content);
    while (!list.atEnd) {
      const policy = new DerReader(list.expect(TAG.sequence, 'a policy').content);
      policies.push(policy.expect(TAG.oid, 'the identifier of a policy').whole);
    }
  }
  return policies;
}

/** Of every extension of this identifier. Throws `DerError`. */
function extensionValues(certificate: Uint8Array, wanted: Uint8Array): readonly Uint8Array[] {
  const body = fromSubject(certificate);
  for (const what of ['subject', 'public key']) body.expect(TAG.sequence, what);
  const values: Uint8Array[] = [];
  while (!body.atEnd) {
    const { tag, content } = body.next();
    if (tag !== EXTENSIONS) continue;
    const list = new DerReader(readWhole(content, TAG.sequence, 'extensions').content);
    while (!list.atEnd) {
      const extension = new DerReader(list.expect(TAG.sequence, 'an extension').content);
      const oid = Buffer.from(extension.expect(TAG.oid, 'the type of an extension').whole);
      let value = extension.next();
      if (value.tag === BOOLEAN) value = extension.next();
      if (value.tag !== TAG.octetString) throw new DerError('an extension without a value');
      if (oid.equals(wanted)) values.push(value.content);
    }
  }
  return values;
}

const EXTENSIONS = contextTag(3, true);
/** Whether it is critical. */
const BOOLEAN = 0x01;
