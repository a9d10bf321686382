import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testShare } from '../../test/support/gate.ts';
import type { ShareActivity } from '../domain/activity.ts';
import { createActivity, type CountedVisit } from './activity.ts';

test('createActivity() counts anew after each telling, and tells nothing of what got nothing', () => {
  const told: (readonly ShareActivity[])[] = [];
  const activity = createActivity((message) => {
    // As a port does it: what is sent does not change any more.
    if (message.type === 'activity') told.push(structuredClone(message).shares);
  });
  const [one, other] = [testShare('one', 'http://a.test'), testShare('other', 'http://b.test')];
  activity.count(visit(null));
  activity.flush();
  activity.count(visit(one, { startedAt: performance.now() - 300 }));
  activity.count(visit(one, { status: 404, startedAt: performance.now() - 300 }));
  activity.count(visit(one, { status: 403, answered: false }));
  activity.count(visit(one, { status: 502, answered: true, reason: 'backend_down' }));
  activity.count(visit(one, { status: 0, answered: false }));
  activity.flush();
  activity.count(visit(other));
  activity.flush();
  activity.flush();
  assert.equal(told.length, 2);
  const [first = [], second = []] = told;
  assert.deepEqual(
    first.map(({ requests, answered, refused, faulted }) => [requests, answered, refused, faulted]),
    [[5, 2, 1, 1]],
  );
  assert.deepEqual([...(first[0]?.statuses ?? [])], [1, 0, 1, 0, 2, 1]);
  // 256 to 512 ms; what the backend did not answer says nothing of it.
  assert.deepEqual([first[0]?.durations[9], first[0]?.durations.reduce((sum, each) => sum + each)], [2, 2]);
  assert.ok((first[0]?.durationsMs ?? 0) >= 600);
  assert.deepEqual(
    second.map(({ shareId, requests, statuses }) => [shareId, requests, statuses[2]]),
    [[other.id, 1, 1]],
  );
});

function visit(share: CountedVisit['share'], more: Partial<CountedVisit> = {}): CountedVisit {
  return { share, status: 200, answered: true, reason: null, startedAt: performance.now(), ...more };
}
