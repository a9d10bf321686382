// Certificates by a text that somebody typed: part of the name, the subject, the serial or the fingerprint,
// whatever the case.

import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely';
import { likePart } from '../like-part.ts';

/** Goes through all certificates of an account: a person's question, not a gate's. */
export function hasText(text: string): Expression<SqlBool> {
  const part = likePart(text);
  // A fingerprint is often written in pairs.
  const hex = likePart(text.replaceAll(':', ''));
  const json = likePart(JSON.stringify(text).slice(1, -1));
  return sql<SqlBool>`(${mayHave(text, [part, json, hex])} AND (
    lower(client_certificates.name) LIKE ${part} ESCAPE '!'
    OR lower(${subjectValues()}) LIKE ${json} ESCAPE '!'
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
  const found = [...new Set(parts)].map((part) => sql<SqlBool>`${all} LIKE ${part} ESCAPE '!'`);
  return sql<SqlBool>`(${sql.join(found, sql` OR `)})`;
}

/** The subject's JSON without its keys: both databases read the two in their own ways, and this in one. */
function subjectValues(): RawBuilder<string> {
  return SUBJECT_KEYS.reduce(
    (text, key) => sql<string>`replace(${text}, ${`"${key}":`}, '')`,
    sql<string>`replace(client_certificates.subject, ':null', ':')`,
  );
}

const SUBJECT_KEYS = ['commonName', 'organizationalUnit', 'organization', 'emailAddress'] as const;
