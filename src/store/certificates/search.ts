// Certificates by a text that somebody typed: part of the name or the subject, whatever the case, and what
// the serial or the fingerprint begins with; so many digits that no two have them by chance, anywhere in
// these.

import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely';
import { likePart, likeParts } from '../like-part.ts';

/** Whether a certificate has it. Which ones may have it, `words.ts` tells, or all are gone through. */
export function hasText(text: string): Expression<SqlBool> {
  const parts = likeParts(text);
  const digits = hexOf(text);
  const hex = digits === null ? NOTHING : digits.length < SERIAL_DIGITS ? `${digits}%` : likePart(digits);
  const json = likeParts(JSON.stringify(text).slice(1, -1));
  return sql<SqlBool>`(${mayHave(text, [...parts, ...json, ...(digits === null ? [] : [likePart(digits)])])} AND (
    ${isLike(sql`lower(client_certificates.name)`, parts)}
    OR ${isLike(sql`lower(${subjectValues()})`, json)}
    OR lower(client_certificates.serial) LIKE ${hex} ESCAPE '!'
    OR client_certificates.fingerprint LIKE ${hex} ESCAPE '!'
  ))`;
}

/**
 * Tells most of those that have it nowhere at a third of the cost. Where it has no letter and no digit, it
 * may stand between two values.
 */
function mayHave(text: string, parts: readonly string[]): Expression<SqlBool> {
  if (!/[\p{L}\p{N}]/u.test(text)) return sql<SqlBool>`1 = 1`;
  const all = sql<string>`lower(coalesce(client_certificates.name, '') || ' ' || client_certificates.subject
    || ' ' || client_certificates.serial || ' ' || client_certificates.fingerprint)`;
  return isLike(all, [...new Set(parts)]);
}

function isLike(text: RawBuilder<unknown>, parts: readonly string[]): Expression<SqlBool> {
  return sql<SqlBool>`(${sql.join(
    parts.map((part) => sql`${text} LIKE ${part} ESCAPE '!'`),
    sql` OR `,
  )})`;
}

/** The subject's JSON without its keys: both databases read the two in their own ways, and this in one. */
function subjectValues(): RawBuilder<string> {
  return SUBJECT_KEYS.reduce(
    (text, key) => sql<string>`replace(${text}, ${`"${key}":`}, '')`,
    sql<string>`replace(client_certificates.subject, ':null', ':')`,
  );
}

/** The digits of a serial or a fingerprint, in lower case; null for what is neither, and for too few. */
export function hexOf(text: string): string | null {
  // A fingerprint is often written in pairs. Of a million certificates, some tens begin with four digits.
  const digits = text.replaceAll(':', '').toLowerCase();
  return /^[0-9a-f]{4,}$/.test(digits) ? digits : null;
}

/** No two certificates have so many in common by chance, wherever these stand. */
export const SERIAL_DIGITS = 16;
/** No serial, and no fingerprint. */
const NOTHING = '';
const SUBJECT_KEYS = ['commonName', 'organizationalUnit', 'organization', 'emailAddress'] as const;
