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

test('forLogin() counts a /64 of IPv6 as one network, for each provider', async () => {
  const places = createProviderPlaces();
  const inside: Leave[] = [];
  for (let number = 0; number < 7; number++)
    inside.push(await places.forLogin(configured, `2001:db8::${number}`));
  let waited = true;
  const enterLate = async () => {
    inside.push(await places.forLogin(configured, '2001:db8::99'));
    waited = false;
  };
  const next = enterLate();
  inside.push(await places.forLogin(configured, '2001:db8:0:1::1'));
  inside.push(await places.forLogin({ name: 'other', accountId: null }, '2001:db8::1'));
  assert.equal(waited, true);
  inside[0]?.();
  await next;
});

async function pass(t: TestContext, ms: number): Promise<void> {
  for (let passed = 0; passed <= ms; passed += 50) {
    if (passed > 0) t.mock.timers.tick(50);
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}
