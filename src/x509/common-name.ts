// Whom a certificate is for, as people call it. It runs in browsers, too.

import { DerError, DerReader, readWhole, TAG } from './der.ts';
import { OID } from './oid.ts';
import { subjectName } from './subject-name.ts';

/** The common name of the subject; null when it has none. Throws `DerError` for what is no certificate. */
export function commonNameOf(certificate: Uint8Array): string | null {
  const names = new DerReader(readWhole(subjectName(certificate), TAG.sequence, 'subject').content);
  while (!names.atEnd) {
    const parts = new DerReader(names.expect(TAG.set, 'part of the subject').content);
    const attribute = new DerReader(parts.expect(TAG.sequence, 'attribute').content);
    const { whole } = attribute.expect(TAG.oid, 'kind of attribute');
    if (whole.every((byte, index) => byte === OID.commonName[index])) return textOf(attribute);
  }
  return null;
}

function textOf(attribute: DerReader): string {
  const { content } = attribute.expect(TAG.utf8String, 'common name in UTF-8');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new DerError('a common name that is no UTF-8');
  }
}
