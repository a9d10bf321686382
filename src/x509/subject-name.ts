// The name of whom a certificate is about (RFC 5280 section 4.1.2.6). It runs in browsers, too.

import { contextTag, DerReader, readWhole, TAG } from './der.ts';

/** The subject as its DER has it. Throws `DerError`. */
export function subjectName(certificate: Uint8Array): Uint8Array {
  return fromSubject(certificate).expect(TAG.sequence, 'subject').whole;
}

/** Of what is signed, the subject and what follows it. Throws `DerError`. */
export function fromSubject(certificate: Uint8Array): DerReader {
  const whole = new DerReader(readWhole(certificate, TAG.sequence, 'certificate').content);
  const body = new DerReader(whole.expect(TAG.sequence, 'certificate body').content);
  body.expect(contextTag(0, true), 'version');
  body.expect(TAG.integer, 'serial number');
  for (const what of ['signature algorithm', 'issuer', 'validity']) body.expect(TAG.sequence, what);
  return body;
}
