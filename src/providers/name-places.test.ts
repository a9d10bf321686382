import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAddressList } from '../domain/address-list.ts';
import { type AccountId, newId } from '../domain/id.ts';
import { createDialler } from './dialler.ts';
import { laneOf } from './name-places.ts';
import { namesAsked } from './names-asked.test-support.ts';

test('dead names of everything that one account has called leave room for those of others, and for its logins (THREATS "Exhaustion")', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked = namesAsked(t, (name) =>
    name.includes('dead') ? new Promise(() => undefined) : Promise.reject(new Error('ENOTFOUND')),
  );
  const one = newId('acc');
  const dead = (kind: 'providers' | 'webhooks' | 'calls') =>
    Array.from({ length: 10 }, (_, number) => call(one, kind, `dead-${kind}-${number}`));
  const waiting = [...dead('webhooks'), ...dead('calls')];
  await call(one, 'providers', 'own');
  waiting.push(...dead('providers'));
  await call(newId('acc'), 'providers', 'alive');
  const answered = asked.filter((name) => !name.startsWith('dead'));
  assert.deepEqual(answered, ['own.example', 'alive.example']);
  assert.equal(asked.length, 8, 'two of each kind, and those that were answered');
  t.mock.timers.tick(5_000);
  await Promise.all(waiting);
});

/** Each by a dialler of its own, as after a reload. */
function call(accountId: AccountId, kind: 'providers' | 'webhooks' | 'calls', name: string): Promise<void> {
  const dialler = createDialler({
    lane: laneOf(accountId, kind),
    allow: createAddressList([]),
    ownListeners: [],
    refused: 'provider_error',
    unreachable: 'provider_unreachable',
  });
  const answer = dialler.fetch(`https://${name}.example/`, { method: 'GET', headers: {} });
  return assert.rejects(answer, { code: 'provider_unreachable' });
}
