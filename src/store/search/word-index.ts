// Finds texts by any part of a word, on both databases alike: each word is kept once, and what begins at each
// of its characters, so that one look into an index finds every word with a part. Which row has which word is
// kept by whoever looks for rows, such as `audit/search.ts`.
//
// Words come and go under `lockWords()`: nobody adds what somebody else is about to delete.

import { type Kysely, sql, type Transaction } from 'kysely';
import { inBatches } from '../columns.ts';
import { likePart } from '../like-part.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';
import { LAST, cutToPart, everyPartOf, partsOf } from './words.ts';

/** Until the transaction ends, nobody else adds or deletes words. */
export function lockWords({ locks }: Pick<Records, 'locks'>, db: Transaction<Tables>): Promise<void> {
  return locks.name(db, 'search words');
}

export type AddedWords = {
  readonly scope: string;
  readonly words: readonly string[];
  /** What is kept of each: `partsOf` unless said. */
  readonly parts?: (word: string) => readonly string[];
};

/** The ids of all of these words; those that are new are kept from now on. Under `lockWords()`. */
export async function addWords(
  db: Transaction<Tables>,
  { scope, words, parts: keptOf = partsOf }: AddedWords,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const batch of inBatches(words)) {
    const rows = await db
      .selectFrom('search_words')
      .select(['id', 'word'])
      .where('scope', '=', scope)
      .where('word', 'in', batch)
      .execute();
    for (const { id, word } of rows) ids.set(word, Number(id));
  }
  const fresh = words.filter((word) => !ids.has(word));
  if (fresh.length === 0) return ids;
  const { number } = await db
    .updateTable('search_counter')
    .set((eb) => ({ number: eb('number', '+', fresh.length) }))
    .where('id', '=', COUNTER_ROW)
    .returning('number')
    .executeTakeFirstOrThrow();
  let id = Number(number) - fresh.length;
  const rows = fresh.map((word) => ({ id: ++id, scope, word }));
  for (const { id: added, word } of rows) ids.set(word, added);
  for (const batch of inBatches(rows)) await db.insertInto('search_words').values(batch).execute();
  const parts = rows.flatMap((row) => keptOf(row.word).map((part) => ({ scope, part, word_id: row.id })));
  for (const batch of inBatches(parts)) await db.insertInto('search_parts').values(batch).execute();
  return ids;
}

/**
 * The ids of the words that have this part, or null when there are more than `most`. `part` is one word of
 * `wordsOf()`.
 */
export async function wordsWith(
  read: Kysely<Tables>,
  { scope, part, most }: { readonly scope: string; readonly part: string; readonly most: number },
): Promise<readonly number[] | null> {
  const start = cutToPart(part);
  const rows = await read
    .selectFrom('search_parts as part')
    .select('part.word_id')
    .where('part.scope', '=', scope)
    .where('part.part', '>=', start)
    .where('part.part', '<', `${start}${LAST}`)
    .$if(start !== part, (select) =>
      select
        .innerJoin('search_words as word', 'word.id', 'part.word_id')
        .where(sql<boolean>`word.word LIKE ${likePart(part)} ESCAPE '!'`),
    )
    // A word may have the part several times, which few have.
    .limit(most * 2)
    .execute();
  const ids = new Set(rows.map(({ word_id: id }) => Number(id)));
  return rows.length === most * 2 || ids.size > most ? null : [...ids];
}

/** For words that no row has any more. Under `lockWords()`. */
export async function deleteWords(db: Transaction<Tables>, ids: readonly number[]): Promise<void> {
  for (const batch of inBatches(ids)) {
    const words = await db
      .deleteFrom('search_words')
      .where('id', 'in', batch)
      .returning(['id', 'scope', 'word'])
      .execute();
    for (const { id, scope, word } of words)
      await db
        .deleteFrom('search_parts')
        .where('scope', '=', scope)
        .where('part', 'in', everyPartOf(word))
        .where('word_id', '=', id)
        .execute();
  }
}

/** As many as cost little, and one at least: each part that is kept of a word may be a new row. */
export function firstOf<Item extends { readonly words: readonly string[] }>(
  items: readonly Item[],
  keptOf: (word: string) => readonly string[] = partsOf,
): readonly Item[] {
  const words = new Set<string>();
  let parts = 0;
  for (const [index, item] of items.entries()) {
    for (const word of item.words) {
      if (!words.has(word)) parts += keptOf(word).length;
      words.add(word);
    }
    if (parts >= BATCH_PARTS) return items.slice(0, index + 1);
  }
  return items;
}

const COUNTER_ROW = 1;
/** Of words, each once: those of fifty ordinary audit events have fewer. */
const BATCH_PARTS = 3_000;
