// GET /v1/overview, answered from a real store.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { addThings } from '../../../test/support/operations.ts';
import type { OverviewObject } from '../../wire/overview.ts';
import { noFigures } from '../../domain/activity.ts';
import { newId } from '../../domain/id.ts';
import { everyStep, spanOf } from './overview-steps.ts';

const MINUTE_MS = 60_000;

test('GET /v1/overview tells an account’s figures, and another’s nothing of them (THREATS "Tenancy")', async () => {
  await using control = await startControl();
  const { alice, mallory, store, call } = control;
  await addThings(control);
  const made = await call({ path: '/v1/shares', json: { name: 'laptop', tunnel: 'reserved', open: true } });
  assert.equal(made.status, 201);
  const share = await store.shares.find(alice.id, 'alices-share');
  assert.ok(share);
  const counts = { shareId: share.id, accountId: alice.id, answered: 0, ...noFigures() };
  await store.activity.add(Date.now(), [{ ...counts, requests: 5, refused: 2, faulted: 1 }]);
  const login = { kind: 'login.succeeded', provider: 'corp', accountId: alice.id, at: Date.now() } as const;
  await store.audit.append([{ ...EVENT, ...login, id: newId('evt') }]);
  const { shares, requests, ...others } = await overviewOf(control, '');
  const minute = shares.down[0]?.at ?? '';
  assert.ok(Math.abs(Date.parse(minute) - Date.now()) < 3 * MINUTE_MS, minute);
  assert.deepEqual(shares, {
    total: 3,
    up: 1,
    off: 0,
    waiting: 1,
    failing: 1,
    down: [
      { name: 'alices-share', why: 'failing', at: minute },
      { name: 'laptop', why: 'waiting', at: null },
    ],
  });
  assert.deepEqual([requests.stepSeconds, requests.steps.length], [600, 144]);
  assert.deepEqual(sumOf(requests.steps), { requests: 5, refused: 2, faulted: 1 });
  assert.equal(requests.lastAt, minute);
  assert.deepEqual(others, {
    logins: [{ provider: 'corp', succeeded: 1, refused: 0, failed: 0 }],
    // One of the configuration, and her own.
    providers: { usable: 2 },
    sessions: { active: 1 },
    certificates: { active: 1, expiringSoon: 0, soonDays: 7 },
  });
  const nothing = await overviewOf(control, '', mallory);
  assert.deepEqual(nothing.shares, { total: 0, up: 0, off: 0, waiting: 0, failing: 0, down: [] });
  assert.deepEqual(sumOf(nothing.requests.steps), { requests: 0, refused: 0, faulted: 0 });
  const { sessions, certificates, logins } = nothing;
  assert.deepEqual([sessions.active, certificates.active, logins], [0, 0, []]);
});

test('GET /v1/overview counts certificates that are over within its days', async () => {
  await using control = await startControl();
  await addThings(control);
  const { certificates } = await control.store.certificates.list({
    accountId: control.alice.id,
    emailAddress: null,
    state: null,
    endsBefore: null,
    text: null,
    tokenId: null,
    now: 0,
    after: null,
    limit: 1,
  });
  const [certificate] = certificates;
  assert.ok(certificate);
  const { notAfter } = certificate;
  const countAt = (daysBefore: number) =>
    control.store.certificates.count(control.alice.id, {
      now: notAfter - daysBefore * 24 * 60 * MINUTE_MS,
      soon: notAfter - (daysBefore - 7) * 24 * 60 * MINUTE_MS,
    });
  assert.deepEqual(await countAt(8), { living: 1, endingSoon: 0 });
  assert.deepEqual(await countAt(6), { living: 1, endingSoon: 1 });
  assert.deepEqual(await countAt(0), { living: 0, endingSoon: 0 });
});

test('GET /v1/overview refuses hours that are none, or that are not kept', async () => {
  await using control = await startControl();
  for (const query of ['?hours=0', '?hours=169', '?hours=1.5', '?hours=x', '?days=1', '?hours=1&hours=2']) {
    const { status, document } = await control.call({ path: `/v1/overview${query}` });
    assert.deepEqual([status, document['code']], [422, 'validation_failed'], query);
  }
  assert.equal((await overviewOf(control, '?hours=168')).requests.steps.length, 168);
});

test('spanOf() has the step of now last, whole steps, and few enough to draw', () => {
  const now = Date.UTC(2030, 0, 7, 12, 34, 56);
  const spans = {
    1: [60, 1],
    3: [180, 1],
    4: [24, 10],
    24: [144, 10],
    48: [288, 10],
    49: [49, 60],
    168: [168, 60],
  };
  for (const [hours, [steps, minutes]] of Object.entries(spans)) {
    const span = spanOf(Number(hours), now);
    assert.deepEqual([span.steps, span.stepMs], [steps, Number(minutes) * MINUTE_MS], hours);
    const last = span.from + (span.steps - 1) * span.stepMs;
    assert.ok(last <= now && now < last + span.stepMs, hours);
    assert.equal(span.from % span.stepMs, 0);
  }
});

test('everyStep() leaves no step out', () => {
  const span = { from: 0, stepMs: MINUTE_MS, steps: 3 };
  const counted = { at: MINUTE_MS, requests: 4, answered: 1, refused: 2, faulted: 1 };
  assert.deepEqual(everyStep(span, [counted]), [
    { at: '1970-01-01T00:00:00.000Z', requests: 0, refused: 0, faulted: 0 },
    { at: '1970-01-01T00:01:00.000Z', requests: 4, refused: 2, faulted: 1 },
    { at: '1970-01-01T00:02:00.000Z', requests: 0, refused: 0, faulted: 0 },
  ]);
});

async function overviewOf({ call, alice }: TestControl, query: string, as = alice): Promise<OverviewObject> {
  const { status, document } = await call({ path: `/v1/overview${query}`, as });
  assert.equal(status, 200, JSON.stringify(document));
  return document as OverviewObject;
}

function sumOf(steps: OverviewObject['requests']['steps']) {
  const sum = { requests: 0, refused: 0, faulted: 0 };
  for (const { requests, refused, faulted } of steps) {
    sum.requests += requests;
    sum.refused += refused;
    sum.faulted += faulted;
  }
  return sum;
}

const EVENT = {
  shareId: null,
  sessionId: null,
  email: null,
  actor: null,
  ip: null,
  requestId: null,
  reason: null,
} as const;
