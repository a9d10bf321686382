import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { newId } from '../domain/id.ts';
import { createProviderPlaces, type Leave } from './provider-places.ts';

const configured = { name: 'corp', accountId: null };

test('forLogin() and forLogoutToken() give out so many places a second for all that one account defines, and hold up no other', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const places = createProviderPlaces();
  const accountId = newId('acc');
  for (const [enter, perSecond] of [
    [places.forLogin, 12],
    [places.forLogoutToken, 20],
  ] as const) {
    let entered = 0;
    for (let number = 0; number < 100; number++) {
      const provider = { name: `given-${number % 10}`, accountId };
      const enterAndLeave = async () => {
        const leave = await enter(provider, `192.0.2.${number}`);
        entered++;
        leave();
      };
      void enterAndLeave();
    }
    await pass(t, 0);
    const atFirst = entered;
    await pass(t, 1000);
    assert.ok(atFirst > 0 && entered - atFirst <= perSecond, `${atFirst}, then ${entered - atFirst}`);
    assert.ok(entered - atFirst >= perSecond / 2);
    (await enter({ name: 'other', accountId: newId('acc') }, '192.0.2.1'))();
    (await enter(configured, '192.0.2.1'))();
  }
});

test('forLogin() counts a /48 of IPv6 as one customer, for each provider', async () => {
  const places = createProviderPlaces();
  const inside: Leave[] = [];
  for (let number = 0; number < 7; number++)
    inside.push(await places.forLogin(configured, `2001:db8:0:${number}::1`));
  let waited = true;
  const enterLate = async () => {
    inside.push(await places.forLogin(configured, '2001:db8:0:99::1'));
    waited = false;
  };
  const next = enterLate();
  inside.push(await places.forLogin(configured, '2001:db8:1::1'));
  inside.push(await places.forLogin({ name: 'other', accountId: null }, '2001:db8::1'));
  assert.equal(waited, true);
  inside[0]?.();
  await next;
});

test('forLogin() and forLogoutToken() at an account’s own provider: the /64s of one /48 leave places to others, and each has its turn', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const provider = { name: 'given', accountId: newId('acc') };
  for (const room of ['forLogin', 'forLogoutToken'] as const) {
    const places = createProviderPlaces();
    const enter = places[room];
    const flood = Array.from({ length: 300 }, (_, number) => enter(provider, `2001:db8:0:${number % 2}::1`));
    const outcomes = Promise.allSettled(flood);
    const other = enter(provider, '2001:db8:1::1');
    let isOtherIn = false;
    void other.then(() => (isOtherIn = true));
    await pass(t, 0);
    assert.equal(isOtherIn, true, `${room}: not all places are one customer’s`);
    let isNeighborIn = false;
    void enter(provider, '2001:db8:0:2::1').then(() => (isNeighborIn = true));
    await pass(t, 0);
    assert.equal(isNeighborIn, false);
    (await flood[0])?.();
    await pass(t, 600);
    assert.equal(isNeighborIn, true, `${room}: before the many of its neighbors`);
    for (const each of flood) void each.then((leave) => leave()).catch(() => undefined);
    await pass(t, 60_000);
    await outcomes;
  }
});

async function pass(t: TestContext, ms: number): Promise<void> {
  for (let passed = 0; passed <= ms; passed += 50) {
    if (passed > 0) t.mock.timers.tick(50);
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}
