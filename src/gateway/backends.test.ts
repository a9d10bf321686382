import assert from 'node:assert/strict';
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createBackends } from './backends.ts';
import type { GateSettings } from './messages.ts';

const SETTINGS = { directTargets: [], ownListeners: [] } as unknown as GateSettings;

test('a name whose servers are away is asked for once in half a minute, however many visitors come (THREATS "Exhaustion")', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const asked = namesAsked(t, () => new Promise(() => undefined));
  const target = createBackends(SETTINGS, 1).ofTarget('http://dead.example');
  const visit = () => assert.rejects(Promise.resolve(target.dial({}, () => true)), { code: 'backend_down' });
  const first = [visit(), visit()];
  t.mock.timers.tick(5_000);
  await Promise.all(first);
  await visit();
  t.mock.timers.tick(29_000);
  await visit();
  assert.deepEqual(asked, ['dead.example']);
  t.mock.timers.tick(1_001);
  const again = visit();
  t.mock.timers.tick(5_000);
  await again;
  assert.deepEqual(asked, ['dead.example', 'dead.example']);
});

test('a name that is answered late, behind others that nobody answers, is asked for again at once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const late = Promise.withResolvers<readonly { readonly address: string }[]>();
  const asked = namesAsked(t, () => late.promise);
  const target = createBackends(SETTINGS, 1).ofTarget('http://slow.example');
  const visit = (code: string) => assert.rejects(Promise.resolve(target.dial({}, () => true)), { code });
  const first = visit('backend_down');
  t.mock.timers.tick(5_000);
  await first;
  await visit('backend_down');
  assert.equal(asked.length, 1);
  late.resolve([{ address: '127.0.0.1' }]);
  await late.promise;
  await setImmediate();
  await visit('backend_refused');
  assert.equal(asked.length, 2);
});

test('a name that does not exist now is asked for again by the next visitor', async (t) => {
  const asked = namesAsked(t, () => Promise.reject(new Error('ENOTFOUND')));
  const target = createBackends(SETTINGS, 1).ofTarget('http://none.example');
  for (const _ of [1, 2])
    await assert.rejects(Promise.resolve(target.dial({}, () => true)), { code: 'backend_down' });
  assert.deepEqual(asked, ['none.example', 'none.example']);
});

/** What the operating system is asked for from now on, and is answered so. */
function namesAsked(t: TestContext, answer: () => Promise<unknown>): readonly string[] {
  const asked: string[] = [];
  t.mock.method(dns, 'lookup', (name: string) => {
    asked.push(name);
    return answer();
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return asked;
}
