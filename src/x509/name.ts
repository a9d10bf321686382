// Distinguished names of what is issued here: organization, unit, common name, in this order (RFC 5280
// section 4.1.2.4).

import { sequence, TAG, text, write } from './der.ts';
import { OID } from './oid.ts';

export type Subject = {
  readonly commonName: string;
  readonly organization: string | null;
  readonly organizationalUnit: string | null;
};

/** The name as DER. An attribute is never empty and has at most 64 characters: see `isNameText()`. */
export function encodeName({ commonName, organization, organizationalUnit }: Subject): Uint8Array {
  const attributes: Uint8Array[] = [];
  if (organization !== null) attributes.push(attribute(OID.organization, organization));
  if (organizationalUnit !== null) attributes.push(attribute(OID.organizationalUnit, organizationalUnit));
  attributes.push(attribute(OID.commonName, commonName));
  return sequence(...attributes);
}

/**
 * The name as RFC 4514 writes it, most specific first: `CN=ann,OU=Sales,O=Corp`. Printable ASCII: whatever
 * else is in it is written as `\` and the hex of its UTF-8 bytes (section 2.4), so it fits a header.
 */
export function nameText({ commonName, organization, organizationalUnit }: Subject): string {
  const parts = [`CN=${escaped(commonName)}`];
  if (organizationalUnit !== null) parts.push(`OU=${escaped(organizationalUnit)}`);
  if (organization !== null) parts.push(`O=${escaped(organization)}`);
  return parts.join(',');
}

/** Whether a text can be an attribute: 1 to 64 characters (X.520's upper bound), none of control, trimmed. */
export function isNameText(value: string): boolean {
  return (
    [...value].length <= 64 &&
    value === value.trim() &&
    !UNFIT.test(value) &&
    value.isWellFormed() &&
    value !== ''
  );
}

function attribute(oid: Uint8Array, value: string): Uint8Array {
  return write(TAG.set, sequence(oid, text(TAG.utf8String, value)));
}

function escaped(value: string): string {
  return value.replace(SPECIAL, '\\$&').replace(/[^\x20-\x7e]/gu, (character) => {
    const hex = Buffer.from(character, 'utf8').toString('hex');
    return hex.replace(/../g, '\\$&');
  });
}

/** RFC 4514 section 2.4. */
const SPECIAL = /["+,;<>\\=]|^[ #]| $/g;
/** Controls, and what turns the direction of text or has no width: a name must read as what it is. */
const UNFIT = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
