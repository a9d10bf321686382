// The index of what certificates are found by: words of their names and subjects, with all parts of them. It
// follows the table: words come a moment after a certificate, by whoever asks first, so that nobody who
// redeems a token waits for them. It names every certificate that may have a text; whether one has it, the
// certificate says.

import type { Kysely, Transaction } from 'kysely';
import type { AccountId } from '../../domain/id.ts';
import { inBatches } from '../columns.ts';
import type { Records } from '../records.ts';
import { isCaughtUp } from '../search/caught-up.ts';
import { addWords, firstOf, lockWords, wordsWith } from '../search/word-index.ts';
import { everyPartOf, longPartsOf, piecesOf } from '../search/words.ts';
import type { Tables } from '../tables.ts';
import { toCertificate } from './row.ts';
import { hexOf, SERIAL_DIGITS } from './search.ts';

/** As `CertificateTable.index()`. */
export async function indexCertificates(records: Records): Promise<boolean> {
  // Nobody writes for nothing.
  if (!(await isBehind(records.read))) return false;
  return records.write(async ({ db }) => {
    await lockWords(records, db);
    const noted = await db
      .selectFrom('certificates_unsearched')
      .select('certificate_id')
      .limit(BATCH)
      .execute();
    const ids = noted.map(({ certificate_id: id }) => id);
    if (ids.length === 0) return false;
    const rows = await db.selectFrom('client_certificates').selectAll().where('id', 'in', ids).execute();
    const some = firstOf(
      rows.map(toCertificate).map(({ id, accountId, name, subject }) => {
        const { commonName, organization, organizationalUnit, emailAddress } = subject;
        const texts = [name, commonName, organization, organizationalUnit, emailAddress];
        return { id, scope: scopeOf(accountId), words: piecesOf(texts.join(' ')) };
      }),
      everyPartOf,
    );
    for (const [scope, of = []] of Object.entries(Object.groupBy(some, (each) => each.scope)))
      await addCertificates(db, scope, of);
    const left = new Set<string>(rows.slice(some.length).map(({ id }) => id));
    const done = ids.filter((id) => !left.has(id));
    await db.deleteFrom('certificates_unsearched').where('certificate_id', 'in', done).execute();
    return ids.length === BATCH || left.size > 0;
  });
}

type Indexed = { readonly id: string; readonly words: readonly string[] };

async function addCertificates(
  db: Transaction<Tables>,
  scope: string,
  certificates: readonly Indexed[],
): Promise<void> {
  const words = [...new Set(certificates.flatMap((each) => each.words))];
  // The middle of an id, too: it may be what a device is called.
  const ids = await addWords(db, { scope, words, parts: everyPartOf });
  const rows = certificates.flatMap(({ id, words: its }) =>
    its.map((word) => ({ word_id: ids.get(word) ?? 0, certificate_id: id })),
  );
  for (const batch of inBatches(rows)) await db.insertInto('certificate_words').values(batch).execute();
}

/**
 * The ids of those that may have the text. Null where looking at one after the other finds enough of them
 * soon, and where the index does not tell.
 */
export async function idsWith(
  records: Records,
  { accountId, text }: { readonly accountId: AccountId; readonly text: string },
): Promise<readonly string[] | null> {
  const parts = longPartsOf(text, MOST_PARTS);
  if (parts.length === 0 || !(await isCaughtUp(() => indexCertificates(records)))) return null;
  const named = await namedBy(records.read, { accountId, parts });
  const hex = hexOf(text);
  if (named === null || hex === null) return named;
  const ids = new Set([...named, ...(await numbered(records.read, { accountId, hex }))]);
  if (ids.size > MOST_FOUND) return null;
  // So many are looked for anywhere in a number.
  return ids.size === 0 && hex.length >= SERIAL_DIGITS ? null : [...ids];
}

type Asked = { readonly accountId: AccountId; readonly parts: readonly string[] };

/** By the part that the fewest words have. */
async function namedBy(read: Kysely<Tables>, { accountId, parts }: Asked): Promise<readonly string[] | null> {
  const scope = scopeOf(accountId);
  const found: (readonly number[])[] = [];
  for (const part of parts) {
    const words = await wordsWith(read, { scope, part, most: MOST_WORDS });
    if (words !== null) found.push(words);
  }
  for (const words of found.toSorted((one, other) => one.length - other.length)) {
    if (words.length === 0) return [];
    const rows = await read
      .selectFrom('certificate_words')
      .select('certificate_id')
      .where('word_id', 'in', words)
      .limit(MOST_PAIRS)
      .execute();
    const ids = new Set(rows.map(({ certificate_id: id }) => id));
    if (rows.length < MOST_PAIRS && ids.size <= MOST_FOUND) return [...ids];
  }
  return null;
}

/** Whose serial number or fingerprint begins so. */
async function numbered(
  read: Kysely<Tables>,
  { accountId, hex }: { readonly accountId: AccountId; readonly hex: string },
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const [column, start, end] of [
    ['serial', hex.toUpperCase(), 'G'],
    ['fingerprint', hex, 'g'],
  ] as const) {
    const rows = await read
      .selectFrom('client_certificates')
      .select(['id', 'account_id'])
      .where(column, '>=', start)
      // In whatever order a database has texts: after all digits.
      .where(column, '<', `${start}${end}`)
      .limit(MOST_PAIRS)
      .execute();
    for (const { id, account_id: of } of rows) if (of === accountId) ids.push(id);
  }
  return ids;
}

async function isBehind(read: Kysely<Tables>): Promise<boolean> {
  const row = await read
    .selectFrom('certificates_unsearched')
    .select('certificate_id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function scopeOf(accountId: AccountId): string {
  return `certificates:${accountId}`;
}

/** Some milliseconds on SQLite, where everything waits for it. */
const BATCH = 50;
/** Words that somebody types. */
const MOST_PARTS = 8;
/** With more, looking at certificates finds enough of them soon. */
const MOST_WORDS = 500;
/** Certificates with a word: each may have several that have a part. */
const MOST_PAIRS = 2_000;
const MOST_FOUND = 1_000;
