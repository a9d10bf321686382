// The addresses of an account's sessions that contain a text. The database keeps what begins at each of their
// characters, so that one look into an index finds them; what is longer than that is held against the whole.

import { type Kysely, sql } from 'kysely';
import type { AccountId } from '../../domain/id.ts';
import type { Records } from '../records.ts';
import { cutToPart, LAST } from '../search/words.ts';
import type { Tables } from '../tables.ts';

/**
 * In lower case, as the database writes that. Null where going through the sessions themselves is no more
 * work: for a text of one or two characters, one that many addresses contain, and while addresses are missing
 * after an upgrade.
 */
export async function emailsWith(
  read: Kysely<Tables>,
  { accountId, text }: { readonly accountId: AccountId; readonly text: string },
): Promise<readonly string[] | null> {
  const part = text.toLowerCase();
  const start = cutToPart(part);
  if ([...start].length < SHORTEST || !(await isFilled(read))) return null;
  const rows = await read
    .selectFrom('session_email_parts')
    .select('email')
    .where('account_id', '=', accountId)
    .where('part', '>=', start)
    .where('part', '<', `${start}${LAST}`)
    .limit(MOST_PARTS)
    .execute();
  const emails = new Set(rows.flatMap(({ email }) => (email.includes(part) ? [email] : [])));
  return rows.length === MOST_PARTS || emails.size > MOST_EMAILS ? null : [...emails];
}

/** Adds the addresses of the next sessions of before an upgrade; false when none is left. */
export async function fillEmails(records: Records): Promise<boolean> {
  // Nobody writes for nothing.
  if (await isFilled(records.read)) return false;
  return records.write(async ({ db }) => {
    await records.locks.name(db, 'session emails');
    const { after_id: after } = await db
      .selectFrom('session_emails_filled')
      .select('after_id')
      .executeTakeFirstOrThrow();
    if (after === null) return false;
    const rows = await db
      .selectFrom('sessions')
      .select(['id', 'account_id', 'created_at', sql<string>`lower(email)`.as('email')])
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    const found = rows.map(({ account_id, email, created_at: seen_at }) => ({ account_id, email, seen_at }));
    // In one order, so that two gateways never wait for each other in a circle.
    const ordered = found.toSorted((a, b) => (a.email < b.email ? -1 : 1));
    for (const row of ordered)
      await db
        .insertInto('session_emails')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    const next = rows.length < BATCH ? null : (rows.at(-1)?.id ?? null);
    await db.updateTable('session_emails_filled').set({ after_id: next }).execute();
    return next !== null;
  });
}

async function isFilled(read: Kysely<Tables>): Promise<boolean> {
  const row = await read.selectFrom('session_emails_filled').select('after_id').executeTakeFirst();
  return row !== undefined && row.after_id === null;
}

/** What is shorter is in most addresses. */
const SHORTEST = 3;
/** An address may have the text several times, which few have. */
const MOST_PARTS = 2_000;
/** With more, a page of sessions is full soon. */
const MOST_EMAILS = 300;
/** Some milliseconds on SQLite, where everything waits for it. */
const BATCH = 50;
