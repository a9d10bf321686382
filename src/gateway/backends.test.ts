import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createBackends } from './backends.ts';
import { type AccountId, newId } from '../domain/id.ts';
import { namesAsked } from '../providers/names-asked.test-support.ts';
import type { GateSettings } from './messages.ts';

const SETTINGS = { directTargets: [], ownListeners: [] } as unknown as GateSettings;

const there = (): Promise<unknown> => Promise.resolve([{ address: '127.0.0.1' }]);
const nobody = (): Promise<unknown> => new Promise(() => undefined);
const gone = (): Promise<unknown> => Promise.reject(new Error('ENOTFOUND'));

test('a name whose servers are away is asked for once in half a minute, however many visitors come (THREATS "Exhaustion")', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const asked = namesAsked(t, nobody);
  const target = createBackends(SETTINGS, 1).ofTarget('http://dead.example', newId('acc'));
  const visit = () => assert.rejects(Promise.resolve(target.dial({}, () => true)), { code: 'backend_down' });
  const first = [visit(), visit()];
  await setImmediate();
  t.mock.timers.tick(5_000);
  await Promise.all(first);
  await visit();
  t.mock.timers.tick(29_000);
  await visit();
  assert.deepEqual(asked, ['dead.example']);
  t.mock.timers.tick(1_001);
  const again = visit();
  await setImmediate();
  t.mock.timers.tick(5_000);
  await again;
  assert.deepEqual(asked, ['dead.example', 'dead.example']);
});

test('a name that is answered late, behind others that nobody answers, is asked for again at once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const late = Promise.withResolvers<readonly { readonly address: string }[]>();
  const asked = namesAsked(t, () => late.promise);
  const target = createBackends(SETTINGS, 1).ofTarget('http://slow.example', newId('acc'));
  const visit = (code: string) => assert.rejects(Promise.resolve(target.dial({}, () => true)), { code });
  const first = visit('backend_down');
  await setImmediate();
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
  const asked = namesAsked(t, gone);
  const target = createBackends(SETTINGS, 1).ofTarget('http://none.example', newId('acc'));
  for (const _ of [1, 2])
    await assert.rejects(Promise.resolve(target.dial({}, () => true)), { code: 'backend_down' });
  assert.deepEqual(asked, ['none.example', 'none.example']);
});

test('names of one account that nobody answers leave room to ask for those of others (THREATS "Exhaustion")', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked = namesAsked(t, (name) =>
    name.startsWith('dead') ? new Promise(() => undefined) : Promise.reject(new Error('ENOTFOUND')),
  );
  const backends = createBackends(SETTINGS, 1);
  const visit = (name: string, account: AccountId) =>
    assert.rejects(
      Promise.resolve(backends.ofTarget(`http://${name}.example`, account).dial({}, () => true)),
      {
        code: 'backend_down',
      },
    );
  const account = newId('acc');
  const dead = Array.from({ length: 20 }, (_, number) => visit(`dead${number}`, account));
  await visit('alive', newId('acc'));
  assert.deepEqual(asked, ['dead0.example', 'dead1.example', 'alive.example']);
  t.mock.timers.tick(5_000);
  await Promise.all(dead);
  assert.equal(asked.length, 3, 'no more are asked for while nobody answers');
});

test('a name that was answered a moment ago is dialled there while nobody answers, for a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let answer = there;
  namesAsked(t, () => answer());
  const settings = { ...SETTINGS, directTargets: ['127.0.0.0/8'] };
  const target = createBackends(settings, 1).ofTarget('http://there.example', newId('acc'));
  const visit = async (): Promise<void> =>
    void (await target.dial({}, () => true)).once('error', () => undefined);
  await visit();
  answer = nobody;
  t.mock.timers.tick(5_000);
  const behind = visit();
  await setImmediate();
  t.mock.timers.tick(500);
  await behind;
  t.mock.timers.tick(4_500);
  await setImmediate();
  t.mock.timers.tick(20_000);
  await visit();
  t.mock.timers.tick(30_000);
  const late = assert.rejects(visit(), { code: 'backend_down' });
  await setImmediate();
  t.mock.timers.tick(5_000);
  await late;
});

test('a name that is said not to exist is dialled no more, though it was there a moment ago', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let answer = there;
  namesAsked(t, () => answer());
  const settings = { ...SETTINGS, directTargets: ['127.0.0.0/8'] };
  const target = createBackends(settings, 1).ofTarget('http://gone.example', newId('acc'));
  const visit = async (): Promise<void> =>
    void (await target.dial({}, () => true)).once('error', () => undefined);
  await visit();
  answer = gone;
  t.mock.timers.tick(5_000);
  await assert.rejects(visit(), { code: 'backend_down' });
});
