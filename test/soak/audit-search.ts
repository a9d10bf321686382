// How long a page of the audit log that somebody searches takes, in a log of many events of one account: for
// what few events have, what most have, what none has, and for as little as two characters.

import { type AccountId, newId } from '../../src/domain/id.ts';
import { auditEvent } from '../../src/domain/audit-event.ts';
import type { AuditTable } from '../../src/store/audit/query.ts';
import { addAccount, openTestStore } from '../support/store.ts';
import { openPostgresTestStore, startOwnPostgres } from '../support/postgres.ts';

/** Milliseconds of a page of 50, by what was searched for. */
export type SearchTimes = Readonly<Record<string, { readonly median: number; readonly slowest: number }>>;

export async function searchOnSqlite(events: number): Promise<SearchTimes> {
  await using store = await openTestStore();
  const accountId = await addAccount(store);
  await fillAudit(store.audit, accountId, events);
  return await timesOf(store.audit, accountId);
}

export async function searchOnPostgres(events: number): Promise<SearchTimes> {
  await using server = await startOwnPostgres({ durable: true });
  await using store = await openPostgresTestStore(server);
  const accountId = await addAccount(store);
  await fillAudit(store.audit, accountId, events);
  // As the server does by itself within a minute.
  await server.query(store.url, 'ANALYZE');
  return await timesOf(store.audit, accountId);
}

/** Logins of 5,000 people, indexed. */
export async function fillAudit(audit: AuditTable, accountId: AccountId, count: number): Promise<void> {
  for (let start = 0; start < count; start += BATCH)
    await audit.append(
      Array.from({ length: Math.min(BATCH, count - start) }, (_, index) => eventOf(accountId, start + index)),
    );
  while (await audit.index());
}

async function timesOf(audit: AuditTable, accountId: AccountId): Promise<SearchTimes> {
  const times: Record<string, { median: number; slowest: number }> = {};
  for (const text of TEXTS) {
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const begun = performance.now();
      await audit.page({ accountId, filter: { ...ANY, text }, order: 'newest', from: null, limit: 50 });
      took.push(performance.now() - begun);
    }
    took.sort((one, other) => one - other);
    times[text] = { median: rounded(took[ROUNDS >> 1]), slowest: rounded(took.at(-1)) };
  }
  return times;
}

/** Logins of 5,000 people from 50,000 addresses; one in 5,000 of them was refused at a rule. */
function eventOf(accountId: AccountId, index: number) {
  const isRefused = index % 5_000 === 17;
  return auditEvent({
    kind: isRefused ? 'login.refused' : 'login.succeeded',
    at: START + index * 1_000,
    accountId,
    provider: index % 3 === 0 ? 'google' : 'corp',
    email: `person-${index % 5_000}@corp.example`,
    ip: `10.${(index >> 16) % 256}.${(index >> 8) % 256}.${index % 256}`,
    requestId: newId('evt'),
    reason: isRefused ? 'rule_refused' : null,
    rule: isRefused ? '2: deny emails *@corp.example' : undefined,
  });
}

function rounded(ms = Infinity): number {
  return Math.round(ms * 10) / 10;
}

const ANY = {
  kinds: [],
  email: null,
  shareId: null,
  provider: null,
  actor: null,
  result: null,
  since: null,
  until: null,
};
const TEXTS = [
  'person-4711@', // ten events
  '10.0.77.', // 256 events, each with an address of its own
  'refused', // ten events among all
  'corp.example', // every event
  'co', // every event, in two characters
  '77', // two characters that some hundred words of some hundred events have
  'person-47 google', // few of those that many have
  'nobody@else.example', // no event
];
const START = Date.UTC(2026, 0, 1);
const BATCH = 1_000;
const ROUNDS = 41;
