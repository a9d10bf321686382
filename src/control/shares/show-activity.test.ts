// GET /v1/shares/{share}/activity, answered from a real store.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { addThings } from '../../../test/support/operations.ts';
import { noFigures } from '../../domain/activity.ts';
import type { ShareActivityObject } from '../../wire/share-activity.ts';

test('GET /v1/shares/{share}/activity tells requests, refusals and durations of that share alone', async () => {
  await using control = await startControl();
  await addThings(control);
  const { alice, store } = control;
  const share = await store.shares.find(alice.id, 'alices-share');
  assert.ok(share);
  const figures = noFigures();
  figures.statuses.set([0, 0, 6, 0, 3, 1]);
  // Six of at most 8 ms, one of at most 1,024.
  figures.durations[3] = 6;
  figures.durations[10] = 1;
  const counts = { requests: 10, answered: 7, refused: 2, faulted: 1 };
  const ids = { shareId: share.id, accountId: alice.id };
  await store.activity.add(Date.now(), [{ ...ids, ...counts, ...figures, durationsMs: 700 }]);
  const day = await activityOf(control, 'alices-share', '');
  assert.deepEqual([day.stepSeconds, day.steps.length], [3600, 24]);
  const last = day.steps.findLast(({ requests }) => requests > 0);
  const { at, p50Ms, p95Ms, ...counted } = last ?? assert.fail('nothing was counted');
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 2 * 3_600_000, at);
  assert.deepEqual(counted, {
    ...counts,
    statuses: { none: 0, '1xx': 0, '2xx': 6, '3xx': 0, '4xx': 3, '5xx': 1 },
  });
  assert.ok(p50Ms !== null && p50Ms > 4 && p50Ms <= 8, `${p50Ms}`);
  assert.ok(p95Ms !== null && p95Ms > 512 && p95Ms <= 1_024, `${p95Ms}`);
  const hours = await activityOf(control, share.id, '?hours=3');
  assert.deepEqual([hours.stepSeconds, hours.steps.length], [60, 180]);
  const empty = hours.steps[0];
  assert.deepEqual([empty?.requests, empty?.p50Ms, empty?.p95Ms], [0, null, null]);
});

test('GET /v1/shares/{share}/activity: a share of another account is unknown (THREATS "Tenancy")', async () => {
  await using control = await startControl();
  await addThings(control);
  const { alice, store, mallory } = control;
  const share = await store.shares.find(alice.id, 'alices-share');
  for (const named of ['alices-share', share?.id ?? '']) {
    const { status, document } = await control.call({
      path: `/v1/shares/${named}/activity`,
      as: mallory,
    });
    assert.deepEqual([status, (document as { code?: string }).code], [404, 'share_unknown']);
  }
  assert.equal((await control.call({ path: '/v1/shares/alices-share/activity?hours=169' })).status, 422);
});

async function activityOf(control: TestControl, share: string, query: string): Promise<ShareActivityObject> {
  const { status, document } = await control.call({ path: `/v1/shares/${share}/activity${query}` });
  assert.equal(status, 200, JSON.stringify(document));
  return document as ShareActivityObject;
}
