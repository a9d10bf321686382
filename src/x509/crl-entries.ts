// How many certificates a revocation list names (RFC 5280 section 5.1.2.6).

import { DerError, DerReader, readWhole, TAG } from './der.ts';

/** Of a list as `revocationList()` writes it. Throws `DerError` for what is none. */
export function countEntries(list: Uint8Array): number {
  const whole = new DerReader(readWhole(list, TAG.sequence, 'revocation list').content);
  const body = new DerReader(whole.expect(TAG.sequence, 'body of the list').content);
  body.expect(TAG.integer, 'version');
  for (const what of ['signature algorithm', 'issuer']) body.expect(TAG.sequence, what);
  for (const what of ['this update', 'next update']) {
    const { tag } = body.next();
    if (tag !== TAG.utcTime && tag !== TAG.generalizedTime) throw new DerError(`no ${what}`);
  }
  const next = body.next();
  // Where nothing is revoked, the extensions follow at once.
  if (next.tag !== TAG.sequence) return 0;
  const entries = new DerReader(next.content);
  let count = 0;
  for (; !entries.atEnd; count++) entries.expect(TAG.sequence, 'entry');
  return count;
}
