// What a change changed, and which rule refused, with each event; and the words of events, so that one finds
// them by any part of a word. Those of events of before come by themselves, as of new ones.

import { type Kysely, sql } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';

export async function auditContent(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema.alterTable('audit_events').addColumn('rule', 'text').execute();
  await db.schema.alterTable('audit_events').addColumn('changes', 'text').execute();
  const { textByBytes, rowsInKey } = engine;
  const statements = [
    `CREATE TABLE search_words (
       id bigint PRIMARY KEY, scope text NOT NULL, word ${textByBytes} NOT NULL, UNIQUE (scope, word))`,
    `CREATE TABLE search_parts (
       scope text NOT NULL, part ${textByBytes} NOT NULL, word_id bigint NOT NULL,
       PRIMARY KEY (scope, part, word_id)) ${rowsInKey}`,
    'CREATE TABLE search_counter (id integer PRIMARY KEY, number bigint NOT NULL)',
    'INSERT INTO search_counter (id, number) VALUES (1, 0)',
    `CREATE TABLE audit_words (
       number bigint NOT NULL, word_id bigint NOT NULL, PRIMARY KEY (word_id, number)) ${rowsInKey}`,
    'CREATE INDEX audit_words_by_number ON audit_words (number)',
    'CREATE TABLE audit_searched (id integer PRIMARY KEY, number bigint NOT NULL)',
    'INSERT INTO audit_searched (id, number) VALUES (1, 0)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
