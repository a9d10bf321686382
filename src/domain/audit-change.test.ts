import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessRuleDocument } from './access-rule.ts';
import { auditChange } from './audit-change.ts';
import { auditEvent, toldEvent } from './audit-event.ts';
import { AUDIT_KINDS, auditResult, CHANGE_KINDS, kindsWith } from './audit-kind.ts';
import { impliedChange } from './implied-change.ts';
import { type ToldShare, shareChange } from './share-fields.ts';
import { KEPT_SETTINGS, UNSET_SETTINGS } from './share-values.ts';

const RULE: AccessRuleDocument = { allow: { providers: ['corp'], groups: ['eng-*'] } };

test('auditChange() tells the fields that differ, and nothing of the others', () => {
  const before = { name: 'ci', role: 'member', shares: ['wiki'], expiresAt: null };
  const after = { ...before, role: 'admin', shares: ['wiki', 'app'] };
  assert.deepEqual(auditChange({ before, after }), {
    before: { role: 'member', shares: ['wiki'] },
    after: { role: 'admin', shares: ['wiki', 'app'] },
    secrets: [],
    omitted: 0,
  });
  assert.deepEqual(auditChange({ before: null, after, secrets: ['key'] }), {
    before: null,
    after: { name: 'ci', role: 'admin', shares: ['wiki', 'app'] },
    secrets: ['key'],
    omitted: 0,
  });
});

test('shareChange() tells every setting by its name in the API, durations and rules as people write them', () => {
  const after = share({
    oauthProvider: 'corp',
    oauthCheckIntervalMs: 5_400_000,
    rules: [RULE],
    allowGroups: ['ops'],
  });
  const told = auditChange(shareChange(share({ oauthProvider: 'corp', allowGroups: ['ops'] }), after));
  assert.deepEqual(told.before, { oauthCheckInterval: null, rules: [] });
  assert.deepEqual(told.after, {
    oauthCheckInterval: '1h30m',
    rules: ['allow providers corp; groups eng-*'],
  });
  const { after: shown } = shareChange(null, after);
  for (const [name] of KEPT_SETTINGS) assert.ok(Object.hasOwn(shown ?? {}, name), name);
});

test('shareChange() of a share that is made or deleted leaves out what nobody said', () => {
  const login = share({ name: 'wiki', target: 'http://127.0.0.1:3000', oauthProvider: 'corp' });
  const told = { name: 'wiki', target: 'http://127.0.0.1:3000', oauthProvider: 'corp' };
  assert.deepEqual(auditChange(shareChange(null, login)).after, told);
  assert.deepEqual(auditChange(shareChange(login, null)).before, told);
  assert.equal(auditChange(shareChange(login, null)).after, null);
});

test('auditChange() of long lists tells what differs, and says how much it leaves out', () => {
  const rules = Array.from(
    { length: 100 },
    (_, index) => `allow emails person-${index}@example.com, ${'x'.repeat(40)}`,
  );
  const replaced = rules.map((rule, index) => (index === 42 ? 'deny emails mallory@example.com' : rule));
  assert.deepEqual(auditChange({ before: { rules }, after: { rules: replaced } }), {
    before: { rules: [rules[42]] },
    after: { rules: ['deny emails mallory@example.com'] },
    secrets: [],
    omitted: 198,
  });
});

test('an event stays below 8 KiB in the database, whatever changed and whatever it is about', () => {
  for (const [before, after] of [
    [fields('a'), fields('b')],
    [null, fields('c')],
    [{ text: '\u0000'.repeat(90_000) }, { text: 'x' }],
  ] as const) {
    const event = auditEvent({
      kind: 'share.modified',
      at: 0,
      email: `${'é'.repeat(60)}@example.com`,
      reason: '\u0001'.repeat(9_000),
      changes: { before, after },
    });
    assert.ok(Buffer.byteLength(JSON.stringify(event.changes)) <= 6_144);
    assert.ok((event.changes?.omitted ?? 0) > 0);
    assert.ok((event.reason?.length ?? 0) <= 500);
  }
});

test('toldEvent() says what changed where the kind alone says it, and what came of it', () => {
  const told = toldEvent(auditEvent({ kind: 'session.ended', at: 0 }));
  assert.deepEqual(told.changes, {
    before: { state: 'active' },
    after: { state: 'ended' },
    secrets: [],
    omitted: 0,
  });
  assert.equal(told.result, 'done');
  assert.equal(toldEvent(auditEvent({ kind: 'login.refused', at: 0 })).result, 'refused');
  const refused = auditEvent({ kind: 'login.refused', at: 0, rule: '2: deny emails *' });
  assert.equal(toldEvent(refused).rule, '2: deny emails *');
  assert.equal(toldEvent(auditEvent({ kind: 'login.succeeded', at: 0 })).rule, null);
});

test('each kind has one result, and a kind of change never says by itself what changed', () => {
  const all = (['done', 'refused', 'failed'] as const).flatMap(kindsWith);
  assert.deepEqual(all.toSorted(), [...AUDIT_KINDS].toSorted());
  for (const kind of CHANGE_KINDS) assert.equal(impliedChange(kind), undefined, kind);
  for (const kind of AUDIT_KINDS) assert.equal(auditResult(kind) === 'done', !/refus|fail/.test(kind), kind);
});

test('auditEvent() does not compile for a change without what it changed', () => {
  // @ts-expect-error: without `changes`.
  auditEvent({ kind: 'share.modified', at: 0 });
  // @ts-expect-error: what a login changes is told by its kind.
  auditEvent({ kind: 'login.succeeded', at: 0, changes: { before: null, after: {} } });
});

function share(settings: Partial<ToldShare>): ToldShare {
  return { ...UNSET_SETTINGS, ...settings };
}

function long(text: string): readonly string[] {
  return Array.from({ length: 300 }, (_, index) => `${text}${index}${'\u0001'.repeat(200)}`);
}

function fields(text: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `${'field'.repeat(5)}${index}`,
      index % 2 === 0 ? long(text) : '😀'.repeat(9_000),
    ]),
  );
}
