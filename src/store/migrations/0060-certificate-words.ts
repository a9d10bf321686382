// What certificates are found by: any part of a word of their names and subjects. The database itself notes
// those that come, whichever version issues them; their words, and those of certificates of before, are
// added a few at a time.

import { type Kysely, sql } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';

export async function certificateWords(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const { rowsInKey } = engine;
  const statements = [
    `CREATE TABLE certificate_words (
       word_id bigint NOT NULL, certificate_id text NOT NULL, PRIMARY KEY (word_id, certificate_id)) ${rowsInKey}`,
    `CREATE TABLE certificates_unsearched (certificate_id text NOT NULL PRIMARY KEY) ${rowsInKey}`,
    'INSERT INTO certificates_unsearched (certificate_id) SELECT id FROM client_certificates',
    ...engine.certificateSearch,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
