import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestStore } from '../../test/support/store.ts';
import type { AuditEvent } from '../domain/audit-event.ts';
import { type AccountId, newId } from '../domain/id.ts';
import { sweepOnce } from './sweeper.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2030, 0, 1);

test('sweepOnce() forgets audit events older than store.audit_retention, and asks for it each time', async () => {
  await using store = await openTestStore(() => NOW);
  const accountId: AccountId = newId('acc');
  const events = [0, 9, 11, 399, 401].map((days) => eventOf(accountId, days));
  await store.audit.append(events);
  const filter = { kinds: [], email: null, shareId: null, provider: null, since: null, until: null };
  const kept = async () => {
    const query = { accountId, filter, order: 'newest', from: null, limit: 10 } as const;
    return (await store.audit.page(query)).events.map(({ reason }) => reason);
  };
  let days = 400;
  const deps = { store, now: () => NOW, auditRetentionMs: () => days * DAY_MS, log: SILENT };
  await sweepOnce(deps);
  assert.deepEqual(await kept(), ['399 days ago', '11 days ago', '9 days ago', '0 days ago']);
  days = 10;
  await sweepOnce(deps);
  assert.deepEqual(await kept(), ['9 days ago', '0 days ago']);
});

test('sweepOnce() goes on after a fault of the store', async () => {
  const store = await openTestStore(() => NOW);
  await store.dispose();
  const warned: string[] = [];
  const log = { ...SILENT, warn: (_fields: object, message: string) => void warned.push(message) };
  await sweepOnce({ store, now: () => NOW, auditRetentionMs: () => 1, log });
  assert.deepEqual(warned, ['Cannot sweep what is over']);
});

function eventOf(accountId: AccountId, days: number): AuditEvent {
  const at = NOW - days * DAY_MS;
  return { ...BARE, id: newId('evt'), at, accountId, reason: `${days} days ago` };
}

const BARE = {
  kind: 'logout',
  shareId: null,
  sessionId: null,
  provider: null,
  email: null,
  actor: null,
  ip: null,
  requestId: null,
  reason: null,
} as const;
const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
