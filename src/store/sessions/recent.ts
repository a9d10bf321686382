// A browser's living sessions of the last while: what a cookie that is written now must not lose (DESIGN 3
// "One browser, many logins").

import type { Expression, Kysely } from 'kysely';
import { toSession } from './row.ts';
import type { SessionRow } from './session.ts';
import type { Tables } from '../tables.ts';

/** Newest first. */
export async function recentSessions(
  db: Kysely<Tables>,
  of: {
    readonly browserHash: string;
    readonly since: number;
    readonly now: number | Expression<number>;
  },
): Promise<readonly SessionRow[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('browser_hash', '=', of.browserHash)
    .where('created_at', '>=', of.since)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', of.now)
    .orderBy('created_at', 'desc')
    .limit(MOST_RECENT)
    .execute();
  return rows.map(toSession);
}

/** Far more than a cookie holds. */
const MOST_RECENT = 100;
