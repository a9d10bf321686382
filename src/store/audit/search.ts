// The index of what audit events are found by. It follows the log: words of an event come a moment after it,
// by whoever asks first, so that no login waits for them, and those of gateways of the version before come
// as well. One process at a time adds or deletes; whoever looks for words takes what is there.

import type { Transaction } from 'kysely';
import type { AccountId } from '../../domain/id.ts';
import { inBatches } from '../columns.ts';
import type { Records } from '../records.ts';
import { isCaughtUp } from '../search/caught-up.ts';
import { addWords, deleteWords, firstOf, lockWords, wordsWith } from '../search/word-index.ts';
import type { Tables } from '../tables.ts';
import { eventWords } from './event-words.ts';
import { toEvent } from './row.ts';

/** Adds the words of the next events; false when none is left. */
export async function indexBatch(records: Records): Promise<boolean> {
  // Nobody writes for nothing.
  if (!(await isBehind(records))) return false;
  return records.write(async ({ db }) => {
    await lockWords(records, db);
    const { number: done } = await db.selectFrom('audit_searched').select('number').executeTakeFirstOrThrow();
    const rows = await db
      .selectFrom('audit_order')
      .innerJoin('audit_events as event', 'event.id', 'audit_order.event_id')
      .leftJoin('shares as share', 'share.id', 'event.share_id')
      .selectAll('event')
      .select(['audit_order.number', 'share.name as share_name'])
      .where('audit_order.number', '>', Number(done))
      .orderBy('audit_order.number')
      .limit(BATCH_EVENTS)
      .execute();
    const events = firstOf(
      rows.map((row) => ({
        number: Number(row.number),
        scope: scopeOf(row.account_id as AccountId | null),
        words: eventWords(toEvent(row), row.share_name),
      })),
    );
    const last = events.at(-1);
    if (last === undefined) return false;
    for (const [scope, of = []] of Object.entries(Object.groupBy(events, (event) => event.scope)))
      await addEvents(db, scope, of);
    await db.updateTable('audit_searched').set({ number: last.number }).execute();
    return rows.length === BATCH_EVENTS || events.length < rows.length;
  });
}

type Indexed = { readonly number: number; readonly words: readonly string[] };

async function addEvents(db: Transaction<Tables>, scope: string, events: readonly Indexed[]): Promise<void> {
  const ids = await addWords(db, { scope, words: [...new Set(events.flatMap(({ words }) => words))] });
  const rows = events.flatMap(({ number, words }) =>
    words.flatMap((word) => ({ number, word_id: ids.get(word) ?? 0 })),
  );
  for (const batch of inBatches(rows, MOST_PAIRS)) await db.insertInto('audit_words').values(batch).execute();
}

/** The words of events that are gone, some at a time; false when none is left. */
export function forgetWords(records: Records): Promise<boolean> {
  return records.write(async ({ db }) => {
    await lockWords(records, db);
    const { lowest } = await db
      .selectFrom('audit_order')
      .select((eb) => eb.fn.min<number | null>('number').as('lowest'))
      .executeTakeFirstOrThrow();
    const { number: done } = await db.selectFrom('audit_searched').select('number').executeTakeFirstOrThrow();
    const gone = await db
      .selectFrom('audit_words')
      .select(['number', 'word_id'])
      .where('number', '<', lowest ?? Number(done) + 1)
      .orderBy('number')
      .limit(MOST_FORGOTTEN)
      .execute();
    const last = gone.at(-1);
    if (last === undefined) return false;
    const ids = new Set(gone.map(({ word_id: id }) => Number(id)));
    // The rest of the last one's too.
    const rest = await db
      .deleteFrom('audit_words')
      .where('number', '<=', last.number)
      .returning('word_id')
      .execute();
    for (const { word_id: id } of rest) ids.add(Number(id));
    const used = new Set<number>();
    for (const batch of inBatches([...ids])) {
      const rows = await db
        .selectFrom('audit_words')
        .select('word_id')
        .distinct()
        .where('word_id', 'in', batch)
        .execute();
      for (const { word_id: id } of rows) used.add(Number(id));
    }
    await deleteWords(
      db,
      [...ids].filter((id) => !used.has(id)),
    );
    return true;
  });
}

/** A part of what is looked for, with the words that have it; null where there are too many. */
export type FoundPart = { readonly part: string; readonly words: readonly number[] | null };

/** Null where the index is behind. */
export async function findParts(
  records: Records,
  accountId: AccountId | null,
  parts: readonly string[],
): Promise<readonly FoundPart[] | null> {
  if (!(await isCaughtUp(() => indexBatch(records)))) return null;
  const scope = scopeOf(accountId);
  const found: FoundPart[] = [];
  for (const part of parts)
    found.push({ part, words: await wordsWith(records.read, { scope, part, most: MOST_WORDS }) });
  return found;
}

async function isBehind({ read }: Records): Promise<boolean> {
  const { highest, done } = await read
    .selectFrom('audit_searched')
    .select((eb) => [
      'number as done',
      eb
        .selectFrom('audit_order')
        .select((max) => max.fn.max('number').as('highest'))
        .as('highest'),
    ])
    .executeTakeFirstOrThrow();
  return Number(highest ?? 0) > Number(done);
}

function scopeOf(accountId: AccountId | null): string {
  return `audit:${accountId ?? ''}`;
}

/** Some milliseconds on SQLite, where everything waits for it. */
const BATCH_EVENTS = 50;
/** Words of events that go, some at a time: each may take a hundred rows of the index with it. */
const MOST_FORGOTTEN = 100;
/** Two parameters each. */
const MOST_PAIRS = 5_000;
/** With more, reading the log itself finds enough of them soon. */
const MOST_WORDS = 500;
