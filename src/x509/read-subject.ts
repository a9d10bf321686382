// Whom a certificate is about, read so strictly that it can mean one thing only: what decides who gets in
// goes by it.

import { DerError, DerReader, readWhole, TAG } from './der.ts';
import { isNameText, type Subject } from './name.ts';
import { OID } from './oid.ts';
import { subjectName } from './subject-name.ts';

/** Null when the name is not written as names are here (`encodeName()`). Never throws. */
export function readSubject(certificate: Uint8Array): Subject | null {
  try {
    return readName(readWhole(subjectName(certificate), TAG.sequence, 'subject').content);
  } catch (error) {
    if (error instanceof DerError) return null;
    throw error;
  }
}

/** As `encodeName()` writes it. Throws `DerError`. */
function readName(content: Uint8Array): Subject {
  const found = new Map<keyof Subject, string>();
  const sets = new DerReader(content);
  while (!sets.atEnd) {
    const [what, value] = readAttribute(sets.expect(TAG.set, 'an attribute').content);
    if (found.has(what)) throw new DerError(`two attributes for ${what}`);
    found.set(what, value);
  }
  const commonName = found.get('commonName');
  if (commonName === undefined) throw new DerError('a name without a common name');
  return {
    commonName,
    organization: found.get('organization') ?? null,
    organizationalUnit: found.get('organizationalUnit') ?? null,
  };
}

function readAttribute(set: Uint8Array): readonly [keyof Subject, string] {
  const outer = new DerReader(set);
  const inner = new DerReader(outer.expect(TAG.sequence, 'an attribute').content);
  outer.end('an attribute');
  const oid = Buffer.from(inner.expect(TAG.oid, 'the type of an attribute').whole);
  const what = ATTRIBUTES.find((name) => oid.equals(OID[name]));
  if (what === undefined) throw new DerError('another attribute than O, OU and CN');
  const { content } = inner.expect(TAG.utf8String, 'the text of an attribute');
  inner.end('the text of an attribute');
  const value = Buffer.from(content).toString('utf8');
  if (!isNameText(value) || !Buffer.from(value).equals(content))
    throw new DerError('a text the name is not valid');
  return [what, value];
}

const ATTRIBUTES = ['organization', 'organizationalUnit', 'commonName'] as const;
