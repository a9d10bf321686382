// The suite's part on the audit log.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEvent } from '../../domain/audit-event.ts';
import type { AccountId } from '../../domain/id.ts';
import { newId } from '../../domain/id.ts';
import { START, type OpenBench, benchOf } from './bench.test-support.ts';

export function auditSuite(open: OpenBench): void {
  test('audit.append() keeps every field, once', async () => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = newId('acc');
    const full: AuditEvent = {
      ...eventOf(accountId, START),
      shareId: newId('shr'),
      sessionId: newId('ses'),
      provider: 'corp',
      email: 'ann@corp.com',
      actor: 'operator',
      ip: '192.0.2.1',
      requestId: 'req-1',
      reason: 'email_refused',
    };
    const bare = eventOf(accountId, START + 1);
    await audit.append([full, bare, eventOf(newId('acc'), START), eventOf(null, START)]);
    await audit.append([full]);
    assert.deepEqual(await audit.list({ accountId, before: null, limit: 10 }), [bare, full]);
    await audit.append([]);
  });

  test('audit.list() pages without losing events of one millisecond', async () => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = newId('acc');
    const events = Array.from({ length: 7 }, (_, index) => eventOf(accountId, START + Math.floor(index / 3)));
    await audit.append(events);
    const seen: string[] = [];
    for (let before: string | null = null; ;) {
      const page: readonly AuditEvent[] = await audit.list({ accountId, before, limit: 2 });
      const last = page.at(-1);
      if (last === undefined) break;
      before = last.id;
      seen.push(...page.map(({ id }) => id));
    }
    assert.deepEqual(seen.toSorted(), events.map(({ id }) => id).toSorted());
    const foreign = audit.list({ accountId: newId('acc'), before: events[0]?.id ?? '', limit: 2 });
    await assert.rejects(foreign, { code: 'validation_failed' });
  });

  test('audit.append() takes more events than fit one statement', async () => {
    await using bench = await benchOf(open);
    const accountId = newId('acc');
    await bench.store.audit.append(Array.from({ length: 1_201 }, () => eventOf(accountId, START)));
    const kept = await bench.store.audit.list({ accountId, before: null, limit: 2_000 });
    assert.equal(kept.length, 1_201);
  });

  test('audit events cannot be changed or deleted by a statement', async () => {
    await using bench = await benchOf(open);
    const accountId = newId('acc');
    const event = eventOf(accountId, START);
    await bench.store.audit.append([event]);
    await assert.rejects(bench.raw(`UPDATE audit_events SET reason = 'x'`), /append-only/);
    await assert.rejects(bench.raw('DELETE FROM audit_events'), /append-only/);
    assert.deepEqual(await bench.store.audit.list({ accountId, before: null, limit: 10 }), [event]);
  });

  test('audit.forget() deletes what is older, and closes the guard behind it', async () => {
    await using bench = await benchOf(open);
    const accountId = newId('acc');
    const kept = eventOf(accountId, START);
    await bench.store.audit.append([kept]);
    await bench.store.audit.append(Array.from({ length: 1_100 }, () => eventOf(accountId, START - 1)));
    await bench.store.audit.forget(START);
    assert.deepEqual(await bench.store.audit.list({ accountId, before: null, limit: 10 }), [kept]);
    await bench.store.audit.append([eventOf(accountId, START - 1)]);
    await assert.rejects(bench.raw(`DELETE FROM audit_events WHERE at < ${START}`), /append-only/);
  });
}

function eventOf(accountId: AccountId | null, at: number): AuditEvent {
  return {
    id: newId('evt'),
    at,
    kind: 'login.refused',
    accountId,
    shareId: null,
    sessionId: null,
    provider: null,
    email: null,
    actor: null,
    ip: null,
    requestId: null,
    reason: null,
  };
}
