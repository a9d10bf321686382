// Sessions: what the cookie does not say. Rows begin in `begin.ts`, are checked under `lease.ts`, end in
// `end.ts`, and never live again. Provider tokens are sealed, and gone once a session ended
// and they were revoked (`revoke.ts`).

import { sql } from 'kysely';
import type { SessionId } from '../../domain/id.ts';
import type { SessionState } from '../../domain/session.ts';
import type { SessionTable } from './session-table.ts';
import { inBatches } from '../columns.ts';
import type { Records } from '../records.ts';
import { beginSession } from './begin.ts';
import { confirmSession, endUnconfirmed } from './confirm.ts';
import { endAtProvider, endChosen } from './end-chosen.ts';
import { endWithEvents } from './end.ts';
import { createLeases } from './lease.ts';
import { countActiveSessions, countFound, listSessions } from './list.ts';
import { recentSessions } from './recent.ts';
import { fillEmails } from './search.ts';
import { createRevocations } from './revoke.ts';
import { markSeen } from './mark-seen.ts';
import { loginsOf, seenLogins } from './seen-logins.ts';
import { STATE_COLUMNS, openTokens, toSession, toState } from './row.ts';

export function createSessionTable(records: Records): SessionTable {
  const { read } = records;
  return {
    ...createLeases(records),
    ...createRevocations(records),
    begin: (start) => beginSession(records, start),
    confirm: (confirmation) => confirmSession(records, confirmation),
    endUnconfirmed: (ending) => endUnconfirmed(records, ending),
    find: async (id) => {
      const row = await read.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toSession(row);
    },
    state: async (id) => {
      const row = await read
        .selectFrom('sessions')
        .select(STATE_COLUMNS)
        .where('id', '=', id)
        .executeTakeFirst();
      return row === undefined ? null : toState(row);
    },
    states: async (ids) => {
      const found: SessionState[] = [];
      for (const batch of inBatches(ids)) {
        const rows = await read
          .selectFrom('sessions')
          .select(BUT_FACTS)
          // Thousands may end at once, and nobody asks any more which groups they had.
          .select(sql<string | null>`CASE WHEN ended_at IS NULL THEN facts END`.as('facts'))
          .where('id', 'in', batch)
          .execute();
        found.push(...rows.map(toState));
      }
      return found;
    },
    counting: (after) => countingSessions(records, after),
    ofBrowser: (browserHash, providerName) => sessionsOfBrowser(records, browserHash, providerName),
    recent: (browserHash, since) => recentSessions(read, { browserHash, since, now: records.clock() }),
    list: (query) => listSessions(records, query),
    countFound: (query, most) => countFound(records, query, most),
    index: () => fillEmails(records),
    seenLogins: (page) => seenLogins(records, page),
    loginsOf: (person) => loginsOf(records, person),
    countActive: (accountId) => countActiveSessions(records, accountId),
    endChosen: (ending) => endChosen(records, ending),
    endAtProvider: (logout) => endAtProvider(records, logout),
    end: (ids, ending) => endWithEvents(records, ids, ending),
    seen: (seen) => markSeen(records, seen),
  };
}

/**
 * The rest is left out here: the database would look for the next that counts however far it is. So are those
 * of whom a provider says very much, which are not even read: a page of them would be a hundred megabytes,
 * and hold up everybody else for seconds.
 */
async function countingSessions(
  { read, clock }: Records,
  after: SessionId | null,
): ReturnType<SessionTable['counting']> {
  const rows = await read
    .selectFrom('sessions')
    .select(BUT_FACTS)
    .select((eb) => eb('expires_at', '>', clock()).as('lasts'))
    .select(sql<number | boolean>`coalesce(octet_length(facts), 0) > ${sql.lit(LONG_FACTS)}`.as('is_long'))
    .select(
      sql<string | null>`CASE WHEN octet_length(facts) <= ${sql.lit(LONG_FACTS)} THEN facts END`.as('facts'),
    )
    .where('id', '>', after ?? '')
    .orderBy('id')
    .limit(PAGE)
    .execute();
  const counting = rows.filter(
    (row) => Boolean(row.lasts) && !row.is_long && row.ended_at === null && row.confirm_by === null,
  );
  const last = rows.length < PAGE ? undefined : rows.at(-1);
  return { states: counting.map(toState), next: (last?.id as SessionId | undefined) ?? null };
}

async function sessionsOfBrowser(
  { read, clock, seal }: Records,
  ...[browserHash, providerName]: Parameters<SessionTable['ofBrowser']>
): ReturnType<SessionTable['ofBrowser']> {
  const rows = await read
    .selectFrom('sessions')
    .selectAll()
    .where('browser_hash', '=', browserHash)
    .where('provider_name', '=', providerName)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', clock())
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map((columns) => {
    const row = toSession(columns);
    return { row, tokens: openTokens(seal, row, columns.tokens) };
  });
}

const BUT_FACTS = STATE_COLUMNS.filter((column) => column !== 'facts');
/** A few milliseconds of work. */
const PAGE = 500;
/** In bytes: two hundred groups of Entra ID. Whoever has more is asked for when they come. */
const LONG_FACTS = 8_192;
