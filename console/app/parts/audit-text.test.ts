// Every kind of audit event has its words, and its place in the filter: one that is new cannot be forgotten.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUDIT_KINDS } from '../../../src/domain/audit-kind.ts';
import { groupValue, KIND_GROUPS, KIND_TEXTS, kindsOf, kindText, reasonText } from './audit-text.ts';

test('KIND_TEXTS tells of every kind in its own words', () => {
  assert.deepEqual(Object.keys(KIND_TEXTS).toSorted(), AUDIT_KINDS.toSorted());
  const titles = AUDIT_KINDS.map((kind) => kindText(kind).title);
  assert.equal(new Set(titles).size, titles.length);
  for (const kind of AUDIT_KINDS) {
    assert.match(kindText(kind).title, /^[A-Z][a-zA-Z ]+$/);
    assert.match(kindText(kind).about, /^[A-Z].*\.$/);
  }
  assert.equal(kindText('door.painted').title, 'door.painted');
  assert.equal(kindText('toString').title, 'toString');
});

test('KIND_GROUPS has every kind once, and kindsOf() finds kinds and groups', () => {
  assert.deepEqual(KIND_GROUPS.flatMap(({ kinds }) => kinds).toSorted(), AUDIT_KINDS.toSorted());
  assert.deepEqual(kindsOf('login.refused'), ['login.refused']);
  for (const { title, kinds } of KIND_GROUPS) assert.deepEqual(kindsOf(groupValue(title)), kinds);
  for (const none of ['', 'all-doors', 'constructor']) assert.deepEqual(kindsOf(none), []);
});

test('reasonText() has words for codes, and leaves other reasons as they are', () => {
  assert.equal(reasonText(null), '');
  assert.equal(reasonText('ended_by_admin'), 'ended by an admin');
  assert.notEqual(reasonText('email_refused'), 'email_refused');
  assert.equal(reasonText('wiki'), 'wiki');
  assert.equal(reasonText('constructor'), 'constructor');
});
