// Who has logged in to an account's shares, person by person: an index jumps from one address to the next, so
// that a page costs the same however many sessions each of them has.

import { sql } from 'kysely';
import { comparableAddress } from '../../domain/email-address.ts';
import type { AccountId } from '../../domain/id.ts';
import type { SeenLogin } from '../../domain/seen-login.ts';
import type { SessionFacts } from '../../domain/session-facts.ts';
import type { Records } from '../records.ts';
import { isEmail } from './list.ts';

type Page = {
  readonly accountId: AccountId;
  /** The `next` of the page before. */
  readonly after: string | null;
  /** How many addresses. */
  readonly limit: number;
};

/** By address, in the order of the database. */
export async function seenLogins(
  records: Records,
  { accountId, after, limit }: Page,
): Promise<{ readonly logins: readonly SeenLogin[]; readonly next: string | null }> {
  const next = (from: unknown) => sql`(
    SELECT lower(email) FROM sessions
    WHERE account_id = ${accountId} AND lower(email) > ${from}
    ORDER BY lower(email) LIMIT 1
  )`;
  const { rows } = await sql<{ readonly address: string }>`
    WITH RECURSIVE people (address) AS (
      SELECT ${next(after ?? '')} AS address
      UNION ALL
      SELECT ${next(sql.ref('people.address'))} FROM people WHERE people.address IS NOT NULL
    )
    SELECT address FROM people WHERE address IS NOT NULL LIMIT ${limit + 1}
  `.execute(records.read);
  const page = rows.slice(0, limit);
  const logins: SeenLogin[] = [];
  for (const { address } of page) logins.push(...(await loginsOf(records, { accountId, email: address })));
  return { logins, next: rows.length > limit ? (page.at(-1)?.address ?? null) : null };
}

/** One at each provider, the newest first. Looks at their latest sessions alone. */
export async function loginsOf(
  { read }: Records,
  { accountId, email }: { readonly accountId: AccountId; readonly email: string },
): Promise<readonly SeenLogin[]> {
  const rows = await read
    .selectFrom('sessions')
    .select(['email', 'provider_name', 'provider_generation', 'facts', 'created_at'])
    .where('account_id', '=', accountId)
    .where(isEmail(comparableAddress(email)))
    .orderBy('created_at', 'desc')
    .limit(LATEST)
    .execute();
  const found = new Map<string, SeenLogin>();
  for (const row of rows) {
    const key = JSON.stringify([row.provider_name, row.provider_generation]);
    if (!found.has(key))
      found.set(key, {
        email: row.email,
        provider: row.provider_name,
        providerGeneration: row.provider_generation,
        // What is there was written by `factsText`.
        facts: row.facts === null ? null : (JSON.parse(row.facts) as SessionFacts),
        at: row.created_at,
      });
  }
  return [...found.values()];
}

/** Few people log in at one provider so often without their turn at another. */
const LATEST = 20;
