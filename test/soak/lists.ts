// How long pages of the lists of sessions and of shares take in an account with very many of both: in each
// order, both ways, plain and with what is searched for most. As the API reads them, with how many there are.

import { DatabaseSync } from 'node:sqlite';
import { newId } from '../../src/domain/id.ts';
import { SESSION_ORDERS, SHARE_ORDERS, sortNamed, sortNames } from '../../src/domain/list-orders.ts';
import type { SessionQuery } from '../../src/store/sessions/choice.ts';
import type { ShareFilter, ShareRow } from '../../src/store/shares/share.ts';
import type { Store } from '../../src/store/store.ts';
import { addSession, ANY_SESSION } from '../../src/store/suite/bench.test-support.ts';
import { openPostgresTestStore, startOwnPostgres } from '../support/postgres.ts';
import { addShare, openTestStore } from '../support/store.ts';

export type ListSize = { readonly sessions: number; readonly shares: number };

/** Milliseconds of a page, by what was asked for. */
export type ListTimes = Readonly<Record<string, { readonly median: number; readonly slowest: number }>>;

export async function listOnSqlite(size: ListSize): Promise<ListTimes> {
  await using store = await openTestStore();
  const database = new DatabaseSync(store.sqliteFile);
  const share = await addShare(store);
  await fillLists(store, share, { size, run: async (statement) => database.exec(statement) });
  database.close();
  return await timesOf(store, share);
}

export async function listOnPostgres(size: ListSize): Promise<ListTimes> {
  await using server = await startOwnPostgres({ durable: true });
  await using store = await openPostgresTestStore(server);
  const share = await addShare(store);
  await fillLists(store, share, {
    size,
    run: async (statement) => void (await server.query(store.url, statement)),
  });
  // As the server does by itself within a minute.
  await server.query(store.url, 'ANALYZE');
  return await timesOf(store, share);
}

/** Runs a statement past the store. */
export type Run = (statement: string) => Promise<void>;

type Filling = { readonly size: ListSize; readonly run: Run };

/** Sessions of 5,000 people at all of the shares, every other of them ended; requests of a day at each. */
export async function fillLists(store: Store, share: ShareRow, { size, run }: Filling): Promise<void> {
  const { accountId } = share;
  const id = await addSession(store, { share, at: START, lifetimeMs: YEAR_MS });
  await run(`INSERT INTO share_names (name, account_id) ${numbersTo(size.shares)}
    SELECT 'app-' || i, '${accountId}' FROM numbers`);
  await run(`INSERT INTO shares (id, name, created_at, updated_at, ${SHARE_COLUMNS}) ${numbersTo(size.shares)}
    SELECT 'shr_' || ${digitsOf('i')}, 'app-' || i, ${START} + i * 7 % 1000, ${START} + i * 13 % 1000, ${SHARE_COLUMNS}
    FROM numbers, (SELECT * FROM shares WHERE id = '${share.id}') AS one`);
  await run(`INSERT INTO sessions (id, share_id, email, created_at, last_seen_at, ended_at, ${SESSION_COLUMNS})
    ${numbersTo(size.sessions)}
    SELECT 'ses_' || ${digitsOf('i')}, 'shr_' || ${digitsOf(`(i % ${size.shares} + 1)`)}, 'person-' || (i % 5000) || '@corp.example',
      ${START} + i * 7919 % 1000000, ${START} + i * 10007 % 1000000,
      CASE WHEN i % 2 = 0 THEN ${START} END, ${SESSION_COLUMNS}
    FROM numbers, (SELECT * FROM sessions WHERE id = '${id}') AS one`);
  const hour = START - (START % HOUR_MS);
  await run(`INSERT INTO share_hours (share_id, account_id, at, requests, answered, refused, faulted)
    ${numbersTo(24)} SELECT shares.id, shares.account_id, ${hour} - numbers.i * ${HOUR_MS}, 10, 9, 1, 0
    FROM numbers, shares WHERE account_id = '${accountId}'`);
  while (await store.sessions.index());
}

/** A row for each number from 1 on, as `i` of `numbers`. */
export function numbersTo(count: number): string {
  return `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${count})`;
}

/** The number in the digits of an identifier: one that a gateway, too, takes for one. */
export function digitsOf(number: string): string {
  return `substr('${'0'.repeat(ID_DIGITS)}' || ${number}, length('' || ${number}) + 1)`;
}

async function timesOf(store: Store, { accountId }: ShareRow): Promise<ListTimes> {
  const times: Record<string, { median: number; slowest: number }> = {};
  const measure = async (what: string, read: () => Promise<unknown>) => {
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const begun = performance.now();
      await read();
      took.push(performance.now() - begun);
    }
    took.sort((one, other) => one - other);
    times[what] = { median: rounded(took[ROUNDS >> 1]), slowest: rounded(took.at(-1)) };
  };
  for (const name of sortNames(SESSION_ORDERS))
    for (const [what, asked] of Object.entries(SESSION_SEARCHES)) {
      const query = { ...ANY_SESSION, accountId, sort: sortNamed(name), ...asked };
      await measure(`sessions ${name} ${what}`, async () => {
        await store.sessions.list(query);
        await store.sessions.countFound(query, 1_001);
      });
    }
  for (const name of sortNames(SHARE_ORDERS))
    for (const [what, asked] of Object.entries(SHARE_SEARCHES)) {
      const filter = { ...ANY_SHARE, ...asked };
      await measure(`shares ${name} ${what}`, async () => {
        const page = { sort: sortNamed(name), after: null, limit: 50, filter };
        const { shares } = await store.shares.list(accountId, page);
        await store.shares.countFound(accountId, filter, 1_001);
        await store.shares.figures(
          accountId,
          shares.map(({ id }) => id),
          START,
        );
      });
    }
  return times;
}

function rounded(ms = Infinity): number {
  return Math.round(ms * 10) / 10;
}

const ID_DIGITS = 26;
const SHARE_COLUMNS = `account_id, target, tunnel, enabled, oauth_provider, oauth_email_address_patterns,
  oauth_check_interval_ms, client_certificate, access, allow_origins, identity, custom_hosts, version`;
const SESSION_COLUMNS = `account_id, provider_name, provider_generation, subject, browser_hash, expires_at,
  checked_at, refreshable, fence, ip`;
const ANY_SHARE: ShareFilter = { text: null, provider: null, state: null, owner: null, now: Date.now() };
const SESSION_SEARCHES: Readonly<Record<string, Partial<SessionQuery>>> = {
  all: {},
  active: { state: 'active' },
  ended: { state: 'ended' },
  'of a person': { email: 'person-4711@corp.example', state: 'active' },
  'of a share': { shareId: `shr_${'77'.padStart(ID_DIGITS, '0')}`, state: 'active' },
  'by rare text': { text: 'son-4711@', state: 'active' },
  'by common text': { text: 'corp.example', state: 'active' },
  'by no text': { text: newId('ses'), state: 'active' },
};
const SHARE_SEARCHES: Readonly<Record<string, Partial<ShareFilter>>> = {
  all: {},
  'by rare text': { text: 'app-4711' },
  'by common text': { text: 'app' },
  on: { state: 'on' },
  down: { state: 'down' },
};
const START = Date.now();
const HOUR_MS = 60 * 60_000;
const YEAR_MS = 365 * 24 * HOUR_MS;
const ROUNDS = 11;
