// A service with very many shares and living sessions: start, the first request of a session that the gate
// has not seen, the cost of each after that, lists, memory. The sessions are put into the store and their
// cookies sealed as the callback does it.

import { DatabaseSync } from 'node:sqlite';
import { loadConfig } from '../../src/config/load.ts';
import { newId, type SessionId } from '../../src/domain/id.ts';
import { createSeal } from '../../src/login/seal.ts';
import { openSessions, sealSessions } from '../../src/login/session-cookie.ts';
import { sealKeys } from '../../src/serve/gate-settings.ts';
import { configFileOf } from '../../test/support/serve-process.ts';
import type { ServiceProcess } from '../../test/support/service-process.ts';
import { residentMb } from '../process-cost.ts';
import { requestText, startDoorward, type Doorward } from '../proxies/doorward.ts';
import type { Size } from '../size.ts';
import { measure, median, type Measure } from '../subject.ts';

export type CrowdMeasures = {
  readonly startMs: number;
  /** Before any visitor; and once every session was used. */
  readonly idleMb: number;
  readonly usedMb: number;
  /** How many of the sessions are visited, spread over all. */
  readonly visited: number;
  /** Each of these once, none of which the gate has seen. */
  readonly first: Measure;
  /** Each of them again, in the same order: as far apart as they can be. */
  readonly again: Measure;
  /** A few visitors among them, over and over. */
  readonly few: Measure;
  /** All of them, few of them often: the visits of real visitors are distributed so. */
  readonly zipf: Measure;
  /** Milliseconds for a page of 50, in the middle of several. */
  readonly lists: Readonly<Record<string, number>>;
};

export async function measureCrowd(size: Size, backendPort: number): Promise<CrowdMeasures> {
  const doorward = await startDoorward({ backendPort, visitors: 1, shares: size.shares, starts: 1 });
  const { service } = doorward;
  try {
    await service.stop();
    const requestOf = await fillSessions(doorward, size.sessions);
    const startMs = await service.start();
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const idleMb = residentMb(service.pid());
    const take = (count: number, some: readonly string[]) =>
      measure(service, {
        kind: 'http1',
        port: service.port,
        requests: some,
        connections: CONNECTIONS,
        count,
        limitMs: LIMIT_MS,
        inTurn: true,
      });
    const visited = Math.min(size.sessions, MOST_VISITED);
    const requests = Array.from({ length: visited }, (_, n) =>
      requestOf(Math.floor((n * size.sessions) / visited)),
    );
    const first = await take(visited, requests);
    const again = await take(visited, requests);
    const few = await take(size.count, requests.slice(-size.visitors));
    const zipf = await take(size.count, visitsByZipf(size.sessions, size.count).map(requestOf));
    return {
      visited,
      startMs,
      idleMb,
      usedMb: residentMb(service.pid()),
      first,
      again,
      few,
      zipf,
      lists: await lists(service),
    };
  } finally {
    await doorward.close();
  }
}

/** The same visits in each run: by the numbers of the visitors. */
function visitsByZipf(visitors: number, count: number): readonly number[] {
  const upTo: number[] = [];
  for (let n = 1, sum = 0; n <= visitors; n++) upTo.push((sum += 1 / n));
  const all = upTo.at(-1) ?? 0;
  let seed = 1;
  const next = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  return Array.from({ length: count }, () => firstAbove(upTo, next() * all));
}

function firstAbove(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Copies of the one visitor's session, straight into the store of a service that does not run. Answers what
 * makes a request of each.
 */
async function fillSessions(
  { service, cookies }: Doorward,
  count: number,
): Promise<(visitor: number) => string> {
  const config = await loadConfig(configFileOf(service));
  const { cookieName } = config.oauth;
  const seal = createSeal(sealKeys(config));
  const value = new RegExp(`(?:^|; )${cookieName}=([^;]+)`).exec(cookies[0] ?? '')?.[1] ?? '';
  const [session] = openSessions(seal, value) ?? [];
  if (session === undefined) throw new Error('Cannot fill the store: the visitor has no session');
  const ids = Array.from({ length: count }, (): SessionId => newId('ses'));
  copyRows(service.storeFile, session.id, ids);
  const { host } = new URL(service.urlOf('demo'));
  return (visitor) => {
    const id = ids[visitor] ?? session.id;
    const sealed = sealSessions(seal, [{ ...session, id, email: emailOf(visitor) }]);
    return requestText(host, '/', { cookie: `${cookieName}=${sealed}` });
  };
}

function copyRows(storeFile: string, like: SessionId, ids: readonly SessionId[]): void {
  const db = new DatabaseSync(storeFile);
  // Pages of indexes are filled in no order: none leaves memory before all is there.
  db.exec('PRAGMA cache_size = -4000000; PRAGMA synchronous = OFF');
  const one = db.prepare('SELECT * FROM sessions WHERE id = ?').get(like) ?? {};
  const columns = Object.keys(one);
  const insert = db.prepare(
    `INSERT INTO sessions (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
  );
  db.exec('BEGIN');
  for (const [n, id] of ids.entries()) {
    // Sealed tokens are bound to their row. Nothing is checked with the provider as long as this runs.
    const row: typeof one = { ...one, id, email: emailOf(n), browser_hash: `browser ${n}`, tokens: null };
    insert.run(...columns.map((column) => row[column] ?? null));
  }
  db.exec('COMMIT');
  db.close();
}

function emailOf(n: number): string {
  return `person-${n}@example.com`;
}

async function lists({ client }: ServiceProcess): Promise<Readonly<Record<string, number>>> {
  const calls = {
    'the first shares': () => client.shares.list({ limit: PAGE }),
    'one share by name': () => client.shares.show('filler-1'),
    'the latest sessions': () => client.sessions.list({ limit: PAGE }),
    'sessions of one person': () => client.sessions.list({ email: emailOf(1), limit: PAGE }),
    'sessions of one share': () => client.sessions.list({ share: 'demo', limit: PAGE }),
  };
  const found: Record<string, number> = {};
  for (const [name, call] of Object.entries(calls)) {
    const times: number[] = [];
    for (let n = 0; n < CALLS; n++) {
      const startedAt = performance.now();
      await call();
      times.push(performance.now() - startedAt);
    }
    found[name] = median(times);
  }
  return found;
}

/** DESIGN 6: one load generator. A closed loop of as many clients as keep two cores busy. */
const CONNECTIONS = 32;
/** Every session is used, however long that takes; more than this means that something is wrong. */
const LIMIT_MS = 120_000;
/** Requests go to the load generator in one message. */
const MOST_VISITED = 100_000;
const PAGE = 50;
const CALLS = 15;
/** What a start leaves to do afterwards is done by then. */
const SETTLE_MS = 1_000;
