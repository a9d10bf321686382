import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEvent } from '../domain/audit-event.ts';
import { newId } from '../domain/id.ts';
import type { FromWorker } from './messages.ts';
import { createNotifier } from './notifier.ts';

const MINUTE = 60_000;

test('seen() tells of a session at once, and then once a minute, however often it is used (DESIGN 4)', (t) => {
  const said: FromWorker[] = [];
  const { seen, flush } = createNotifier((message) => said.push(message));
  const [often, once] = [newId('ses'), newId('ses')];
  const steady = performance.now.bind(performance);
  const start = Date.now();
  for (let passed = 0; passed < 3 * MINUTE; passed += MINUTE / 4) {
    t.mock.method(performance, 'now', () => steady() + passed);
    seen(often, start + passed);
    if (passed === 0) seen(once, start);
    flush();
    t.mock.restoreAll();
  }
  const told = said.flatMap((message) => (message.type === 'seen' ? message.sessions : []));
  assert.deepEqual(told, [
    { id: often, at: start },
    { id: once, at: start },
    { id: often, at: start + MINUTE },
    { id: often, at: start + 2 * MINUTE },
  ]);
});

test('refused() tells of a refusal again after five minutes, even if the clock was set back (DESIGN "Refused email")', (t) => {
  const said: FromWorker[] = [];
  const { refused, flush } = createNotifier((message) => said.push(message));
  const event: AuditEvent = {
    id: newId('evt'),
    at: Date.now(),
    kind: 'login.refused',
    accountId: newId('acc'),
    shareId: newId('shr'),
    sessionId: newId('ses'),
    provider: 'corp',
    email: 'ada@example.com',
    actor: null,
    ip: '127.0.0.1',
    requestId: 'r',
    reason: 'email_refused',
  };
  const steady = performance.now.bind(performance);
  for (const passed of [0, 4 * MINUTE, 6 * MINUTE]) {
    t.mock.method(performance, 'now', () => steady() + passed);
    refused({ ...event, at: event.at + passed - (passed > 0 ? 60 * MINUTE : 0) });
    flush();
    t.mock.restoreAll();
  }
  assert.equal(said.length, 2);
});
