// The suite's part on finding audit events by text: with the index, past it, and as events go.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import type { AuditEvent } from '../../domain/audit-event.ts';
import { actorText } from '../../domain/actor.ts';
import { type AccountId, newId } from '../../domain/id.ts';
import type { AuditFilter, AuditQuery, AuditTable } from '../audit/query.ts';
import { type Bench, benchOf, type OpenBench, START } from './bench.test-support.ts';

export function auditSearchSuite(open: OpenBench): void {
  test('audit.page() finds events by any part of each word: person, address, share, rule, reason, change', async () => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = newId('acc');
    const events: readonly AuditEvent[] = [
      { ...eventOf(accountId), email: 'Ann.Smith@Corp.Example', ip: '192.0.2.17' },
      {
        ...eventOf(accountId),
        ip: '2001:db8::1',
        reason: 'rule_refused',
        rule: '2: deny emails *@evil.test',
      },
      { ...eventOf(accountId), actor: 'member:mem_1', requestId: '0f8fad5bd9cb469fa16570867728950e' },
      {
        ...eventOf(accountId),
        kind: 'share.modified',
        changes: {
          before: { allowGroups: [] },
          after: { allowGroups: ['Zahlung-Ärzte'] },
          secrets: [],
          omitted: 0,
        },
      },
      { ...eventOf(accountId), email: 'bob@corp.example', provider: '100%_sure' },
    ];
    await audit.append(events);
    await audit.append([{ ...eventOf(newId('acc')), email: 'ann.smith@corp.example' }]);
    const found = async (text: string, more: Partial<AuditFilter> = {}) => {
      const page = await audit.page(queryOf(accountId, text, more));
      assert.equal(page.next, null);
      return page.events.map(({ id }) => events.findIndex((event) => event.id === id)).toSorted();
    };
    for (const isIndexed of [false, true]) {
      if (isIndexed) while (await audit.index());
      assert.deepEqual(await found('ANN.SMITH@corp.example'), [0]);
      assert.deepEqual(await found('mith@corp'), [0]);
      assert.deepEqual(await found('corp.ex'), [0, 4]);
      assert.deepEqual(await found('corp.ex', { result: 'failed' }), []);
      assert.deepEqual(await found('corp.ex', { result: 'refused' }), [0, 4]);
      assert.deepEqual(await found('corp 2.17'), [0]);
      assert.deepEqual(await found('corp nothing'), []);
      assert.deepEqual(await found('db8::1'), [1]);
      assert.deepEqual(await found('@evil'), [1]);
      assert.deepEqual(await found('mem_1'), [2]);
      assert.deepEqual(await found('0f8fad5bd9cb469f'), [2]);
      assert.deepEqual(await found('ärzt'), [3]);
      assert.deepEqual(await found('allowGroups'), [3]);
      assert.deepEqual(await found('share.mod'), [3]);
      assert.deepEqual(await found('0%_s'), [4]);
      assert.deepEqual(await found('%'), [4]);
      assert.deepEqual(await found('  '), [0, 1, 2, 3, 4]);
    }
  });

  test('audit.page() finds an actor by its kind, its id and both, and a time by its date and its hour', async () => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = newId('acc');
    const token = newId('crq');
    const changes = {
      after: { notAfter: '2026-11-23T17:04:59.000Z' },
      before: null,
      secrets: [],
      omitted: 0,
    };
    const event = {
      ...eventOf(accountId),
      actor: actorText({ kind: 'token', id: token }),
      changes,
    };
    await audit.append([event, { ...eventOf(accountId), actor: 'member:mem_1' }]);
    for (const isIndexed of [false, true]) {
      if (isIndexed) while (await audit.index());
      for (const text of [
        `certificate-request-token:${token}`,
        `token:${token.slice(0, 12)}`,
        'request-token:crq_',
        'quest-tok',
        token,
        token.slice(0, 9),
        '2026-11-23T17',
        '17:04:59',
      ])
        assert.deepEqual((await audit.page(queryOf(accountId, text))).events, [event], text);
    }
  });

  test('audit.page() of a text walks both ways through what few and what very many events have', async () => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = newId('acc');
    const all = Array.from({ length: 5_600 }, (_, index) => ({
      ...eventOf(accountId),
      email: `person-${index % 100}@corp.example`,
      ip: index % 800 === 0 ? '198.51.100.7' : '192.0.2.1',
    }));
    await audit.append(all);
    while (await audit.index());
    const rare = all.filter(({ ip }) => ip === '198.51.100.7').map(({ id }) => id);
    for (const [text, wanted] of [
      ['51.100', rare],
      ['corp 51.100', rare],
      ['person-7@', all.filter((_, index) => index % 100 === 7).map(({ id }) => id)],
      ['corp', all.map(({ id }) => id)],
    ] as const)
      for (const order of ['oldest', 'newest'] as const) {
        const seen: string[] = [];
        let from: number | null = null;
        do {
          const query: AuditQuery = { ...queryOf(accountId, text), order, from, limit: 300 };
          const page = await audit.page(query);
          seen.push(...page.events.map(({ id }) => id));
          from = page.next;
        } while (from !== null);
        assert.deepEqual(seen, order === 'oldest' ? wanted : wanted.toReversed(), `${text} ${order}`);
      }
  });

  test('audit.page() of a text is followed by what is committed after it, indexed or not', async () => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = newId('acc');
    const event = () => ({ ...eventOf(accountId), email: 'ann@corp.example' });
    const [first, second] = [event(), event()];
    await audit.append([first]);
    const newest = await audit.page(queryOf(accountId, 'ann@'));
    assert.deepEqual(newest.events, [first]);
    const nothing = await audit.page(queryOf(accountId, 'nobody'));
    await audit.append([second]);
    for (const { follow } of [newest, nothing]) {
      const page = await audit.page({ ...queryOf(accountId, 'ann@'), order: 'oldest', from: follow });
      assert.deepEqual([page.events, page.next], [[second], null]);
      const none = await audit.page({ ...queryOf(accountId, 'ann@'), order: 'oldest', from: page.follow });
      assert.deepEqual(none.events, []);
    }
  });

  test('audit.index() goes on past words that have half a character, or none that a database takes', async () => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = newId('acc');
    const events = ['abc\ud83dxyz', 'abc\ud83dxyz', 'abc\ud83cxyz', 'abc\0xyz', 'abc\0xyz'].map((name) =>
      changeOf(accountId, { name }),
    );
    for (const event of events) {
      await audit.append([event]);
      assert.equal(await audit.index(), false);
    }
    const last = { ...eventOf(accountId), email: 'ann@corp.example' };
    await audit.append([last]);
    await indexAll(audit);
    assert.deepEqual((await audit.page(queryOf(accountId, 'ann@'))).events, [last]);
    assert.equal((await audit.page(queryOf(accountId, 'xyz'))).events.length, events.length);
    assert.equal((await audit.page(queryOf(accountId, '\0'))).events.length, events.length + 1);
  });

  test('audit.index() adds few words at once, and no thousands for one change', async () => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = newId('acc');
    const changes = Array.from({ length: 4 }, () =>
      changeOf(accountId, {
        allowGroups: Array.from({ length: 60 }, () => `x${randomBytes(30).toString('hex')}`),
      }),
    );
    await audit.append(changes);
    const rows = async () =>
      Number((await bench.rows('SELECT count(*) AS count FROM search_parts'))[0]?.['count']);
    for (let more = true, before = 0; more;) {
      more = await audit.index();
      const after = await rows();
      assert.ok(after - before < 6_500, `${after - before} rows at once`);
      before = after;
    }
    assert.ok((await rows()) < changes.length * 2_500, `${await rows()} rows`);
  });

  test('audit.forget() deletes the words of events that go, and leaves those of others', async () => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = newId('acc');
    const old = Array.from({ length: 700 }, (_, index) => ({
      ...eventOf(accountId),
      at: START - 1,
      email: `gone-${index}@corp.example`,
    }));
    const kept = { ...eventOf(accountId), email: 'kept@corp.example' };
    await audit.append([...old, kept]);
    while (await audit.index());
    await audit.forget(START);
    assert.deepEqual((await audit.page(queryOf(accountId, 'gone-'))).events, []);
    assert.deepEqual((await audit.page(queryOf(accountId, '@corp'))).events, [kept]);
    const words = await wordsIn(bench);
    assert.ok(words.includes('kept@corp.example'));
    assert.ok(!words.some((word) => word.includes('gone-')), words.join(' '));
    await audit.forget(START + 1);
    assert.deepEqual(await wordsIn(bench), []);
  });

  test('audit.index() takes as many events at a time as make few new rows', async () => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = newId('acc');
    const done = async () => Number((await bench.rows('SELECT number FROM audit_searched'))[0]?.['number']);
    const withIds = () => {
      const actor = actorText({ kind: 'token', id: newId('crq') });
      return { ...eventOf(accountId), actor, requestId: newId('req'), reason: newId('cer') };
    };
    await audit.append(Array.from({ length: 50 }, withIds));
    await audit.index();
    assert.equal(await done(), 50);
    const withWords = () => ({ ...eventOf(accountId), reason: randomBytes(60).toString('base64url') });
    await audit.append(Array.from({ length: 50 }, withWords));
    await audit.index();
    const more = (await done()) - 50;
    assert.ok(more > 20 && more < 50, `${more}`);
    await indexAll(audit);
    assert.equal(await done(), 100);
  });

  test('audit.index() keeps little of ids, and audit.forget() deletes what former versions kept', async () => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = newId('acc');
    const id = newId('crq');
    const actor = actorText({ kind: 'token', id });
    await audit.append([{ ...eventOf(accountId), actor }]);
    await indexAll(audit);
    const [word] = await bench.rows(
      `SELECT id, scope FROM search_words WHERE word = '${actor.toLowerCase()}'`,
    );
    const parts = await bench.rows(`SELECT part FROM search_parts WHERE word_id = ${String(word?.['id'])}`);
    assert.equal(parts.length, 'certificate-request-token:crq'.split(/[-:]/).length);
    for (const text of [id, actor, actor.slice(0, -6)])
      assert.equal((await audit.page(queryOf(accountId, text))).events.length, 1, text);
    await bench.raw(
      `INSERT INTO search_parts (scope, part, word_id)
       VALUES ('${String(word?.['scope'])}', '${id.toLowerCase().slice(10, 22)}', ${String(word?.['id'])})`,
    );
    await audit.forget(START + 1);
    assert.deepEqual(await bench.rows('SELECT part FROM search_parts'), []);
  });

  test('audit.index() and audit.forget() of several processes at once lose no word and leave none', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const { audit } = bench.store;
    const accountId = newId('acc');
    await audit.append(
      Array.from({ length: 400 }, (_, index) => ({
        ...eventOf(accountId),
        at: index < 200 ? START - 1 : START,
        email: `person-${index % 20}@corp.example`,
      })),
    );
    await Promise.all([
      indexAll(audit),
      indexAll(other.audit),
      audit.forget(START),
      other.audit.forget(START),
    ]);
    await indexAll(audit);
    await audit.forget(START);
    const page = await audit.page({ ...queryOf(accountId, 'person-7@'), limit: 100 });
    assert.equal(page.events.length, 10);
    await audit.forget(START + 1);
    assert.deepEqual(await wordsIn(bench), []);
  });

  test('audit.page() finds a text among many events within milliseconds', async (t) => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = newId('acc');
    for (let start = 0; start < 4_000; start += 2_000)
      await audit.append(
        Array.from({ length: 2_000 }, (_, index) => ({
          ...eventOf(accountId),
          email: `person-${(start + index) % 5_000}@corp.example`,
          ip: `192.0.${(start + index) % 200}.${index % 250}`,
          requestId: newId('evt'),
          reason: 'email_refused',
        })),
      );
    while (await audit.index());
    for (const text of ['person-4711', '192.0.77', 'corp', 'person-47 refused', 'nothing', 'son-12 0.77.']) {
      const took: number[] = [];
      for (let round = 0; round < 9; round++) {
        const begun = performance.now();
        await audit.page({ ...queryOf(accountId, text), limit: 50 });
        took.push(performance.now() - begun);
      }
      const median = took.toSorted((one, other) => one - other)[4] ?? Infinity;
      t.diagnostic(`${text}: ${median.toFixed(1)} ms`);
      // A machine with much else to do takes its time: what is slow by its nature takes ten times as long.
      assert.ok(median < 200, `${text}: ${median} ms`);
    }
  });
}

async function indexAll(table: AuditTable): Promise<void> {
  while (await table.index());
}

async function wordsIn(bench: Bench): Promise<readonly string[]> {
  const rows = await bench.rows('SELECT word FROM search_words UNION ALL SELECT part FROM search_parts');
  return rows.map((row) => String(Object.values(row)[0]));
}

function queryOf(accountId: AccountId, text: string, more: Partial<AuditFilter> = {}): AuditQuery {
  return { accountId, filter: { ...ANY, text, ...more }, order: 'newest', from: null, limit: 20 };
}

function eventOf(accountId: AccountId): AuditEvent {
  return {
    id: newId('evt'),
    at: START,
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

function changeOf(accountId: AccountId, after: Record<string, string | readonly string[]>): AuditEvent {
  const changes = { before: {}, after, secrets: [], omitted: 0 };
  return { ...eventOf(accountId), kind: 'share.modified', changes };
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
