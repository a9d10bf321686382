// The suite's part on the audit log.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEvent } from '../../domain/audit-event.ts';
import { type AccountId, newId } from '../../domain/id.ts';
import type { AuditFilter, AuditPage, AuditTable } from '../audit/query.ts';
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
      rule: '3: deny emails *@evil.test',
      changes: {
        before: { rules: [] },
        after: { allowGroups: ['eng-*'] },
        secrets: ['clientSecret'],
        omitted: 3,
      },
    };
    const bare = eventOf(accountId, START + 1);
    const ofNobody = eventOf(null, START);
    await audit.append([full, bare, eventOf(newId('acc'), START), ofNobody]);
    await audit.append([full]);
    assert.deepEqual(await eventsOf(audit, accountId), [bare, full]);
    assert.deepEqual(await eventsOf(audit, null), [ofNobody]);
    await audit.append([]);
  });

  pageSuite(open);

  test('audit.append() takes more events than fit one statement', async () => {
    await using bench = await benchOf(open);
    const accountId = newId('acc');
    await bench.store.audit.append(Array.from({ length: 1_201 }, () => eventOf(accountId, START)));
    const kept = await eventsOf(bench.store.audit, accountId);
    assert.equal(kept.length, 1_201);
  });

  test('audit events cannot be changed or deleted by a statement', async () => {
    await using bench = await benchOf(open);
    const accountId = newId('acc');
    const event = eventOf(accountId, START);
    await bench.store.audit.append([event]);
    await assert.rejects(bench.raw(`UPDATE audit_events SET reason = 'x'`), /append-only/);
    await assert.rejects(bench.raw('DELETE FROM audit_events'), /append-only/);
    assert.deepEqual(await eventsOf(bench.store.audit, accountId), [event]);
  });

  test('audit.forget() deletes what is older, and closes the guard behind it', async () => {
    await using bench = await benchOf(open);
    const accountId = newId('acc');
    const kept = eventOf(accountId, START);
    await bench.store.audit.append([kept]);
    await bench.store.audit.append(Array.from({ length: 1_100 }, () => eventOf(accountId, START - 1)));
    await bench.store.audit.forget(START);
    assert.deepEqual(await eventsOf(bench.store.audit, accountId), [kept]);
    await bench.store.audit.append([eventOf(accountId, START - 1)]);
    await assert.rejects(bench.raw(`DELETE FROM audit_events WHERE at < ${START}`), /append-only/);
  });
}

function pageSuite(open: OpenBench): void {
  test('audit.page() walks both ways in the order of commits, losing and repeating nothing', async () => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = newId('acc');
    // Written down late, as after an outage of the store.
    const events = Array.from({ length: 7 }, (_, index) => eventOf(accountId, START - Math.floor(index / 3)));
    for (const event of events) await audit.append([event, eventOf(newId('acc'), START)]);
    for (const order of ['oldest', 'newest'] as const) {
      const seen: string[] = [];
      let from: number | null = null;
      do {
        const page: AuditPage = await audit.page({ accountId, filter: ANY, order, from, limit: 2 });
        seen.push(...page.events.map(({ id }) => id));
        from = page.next;
      } while (from !== null);
      const ids = events.map(({ id }) => id);
      assert.deepEqual(seen, order === 'oldest' ? ids : ids.toReversed());
    }
  });

  test('audit.page() is followed by what is committed after it, and by nothing twice', async () => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = newId('acc');
    const query = { accountId, filter: ANY, limit: 10 };
    const before = await audit.page({ ...query, order: 'newest', from: null });
    assert.deepEqual(before, { events: [], next: null, follow: 0 });
    const [first, second, third] = [3, 1, 2].map((minute) => eventOf(accountId, START + minute));
    if (!first || !second || !third) throw new Error('three events');
    await audit.append([first]);
    const newest = await audit.page({ ...query, order: 'newest', from: null });
    assert.deepEqual(newest.events, [first]);
    await audit.append([second]);
    const one = await audit.page({ ...query, order: 'oldest', from: newest.follow });
    assert.deepEqual([one.events, one.next], [[second], null]);
    assert.deepEqual((await audit.page({ ...query, order: 'oldest', from: one.follow })).events, []);
    await audit.append([third]);
    const two = await audit.page({ ...query, order: 'oldest', from: one.follow });
    assert.deepEqual(two.events, [third]);
  });

  test('audit.page() filters by kind, person, share, provider, actor and time', async () => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = newId('acc');
    const shareId = newId('shr');
    const events = [
      { ...eventOf(accountId, START), kind: 'logout' as const },
      { ...eventOf(accountId, START + 1), email: 'Ann@Corp.com' },
      { ...eventOf(accountId, START + 2), shareId },
      { ...eventOf(accountId, START + 3), provider: 'corp' },
      { ...eventOf(accountId, START + 4), actor: 'member:mem_1' as const },
    ];
    await audit.append([
      ...events,
      ...events.map((event) => ({ ...event, id: newId('evt'), accountId: null })),
    ]);
    const found = async (filter: Partial<AuditFilter>) => {
      const page = await audit.page({
        accountId,
        filter: { ...ANY, ...filter },
        order: 'oldest',
        from: null,
        limit: 10,
      });
      return page.events.map(({ id }) => events.findIndex((event) => event.id === id));
    };
    assert.deepEqual(await found({ kinds: ['logout'] }), [0]);
    assert.deepEqual(await found({ kinds: ['logout', 'login.refused'] }), [0, 1, 2, 3, 4]);
    assert.deepEqual(await found({ email: 'ann@corp.com' }), [1]);
    assert.deepEqual(await found({ shareId }), [2]);
    assert.deepEqual(await found({ provider: 'corp' }), [3]);
    assert.deepEqual(await found({ actor: 'member:mem_1' }), [4]);
    assert.deepEqual(await found({ since: START + 1, until: START + 3 }), [1, 2]);
    assert.deepEqual(await found({ provider: 'corp', email: 'ann@corp.com' }), []);
  });

  test('audit.page() looks at so many events and no more, and says where to go on', async () => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = newId('acc');
    const rare = { ...eventOf(accountId, START), email: 'ann@corp.com' };
    await audit.append([rare, ...Array.from({ length: 5_100 }, () => eventOf(accountId, START))]);
    const query = {
      accountId,
      filter: { ...ANY, email: 'ann@corp.com' },
      order: 'newest',
      limit: 5,
    } as const;
    const first = await audit.page({ ...query, from: null });
    assert.deepEqual(first.events, []);
    assert.notEqual(first.next, null);
    const second = await audit.page({ ...query, from: first.next });
    assert.deepEqual([second.events, second.next], [[rare], null]);
  });

  test('audit.page() keeps the order of commits of transactions at once', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const accountId = newId('acc');
    const seen: string[] = [];
    let follow = 0;
    const look = async () => {
      const page = await bench.store.audit.page({
        accountId,
        filter: ANY,
        order: 'oldest',
        from: follow,
        limit: 1_000,
      });
      follow = page.follow;
      seen.push(...page.events.map(({ id }) => id));
    };
    const events = Array.from({ length: 40 }, () => eventOf(accountId, START));
    const writes = events.map((event, index) =>
      (index % 2 === 0 ? other : bench.store).audit.append([event]),
    );
    const written = Promise.all(writes);
    for (let looks = 0; looks < 10; looks++) await look();
    await written;
    await look();
    assert.equal(seen.length, 40);
    assert.deepEqual(new Set(seen), new Set(events.map(({ id }) => id)));
  });
}

/** Newest first. */
async function eventsOf(audit: AuditTable, accountId: AccountId | null): Promise<readonly AuditEvent[]> {
  const query = { accountId, filter: ANY, order: 'newest', from: null, limit: 2_000 } as const;
  return (await audit.page(query)).events;
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

const ANY: AuditFilter = {
  kinds: [],
  email: null,
  shareId: null,
  provider: null,
  actor: null,
  result: null,
  text: null,
  since: null,
  until: null,
};
