import assert from 'node:assert/strict';
import { test } from 'node:test';

import { callbackUrl, codeOf, createLoginRig, type RigBrowser } from '../../test/support/login-rig.ts';

test('callback writes nothing down for answers of no login of ours, which anybody can send (3 Rate limits)', async () => {
  await using rig = await createLoginRig();
  await rig.browser().get('https://auth.example.com/corp/auth/callback?state=AAAAAAAAAAAAAAAAAAAAAA&code=x');
  assert.deepEqual(rig.events, []);
});

test('callback refuses a state that is missing, malformed or of another browser, and exchanges nothing (2.2; THREATS "Protocol": state)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const mine = await callbackUrl(rig.browser(), rig.startUrl(share), 'victim@example.com');
  const victim = rig.browser();
  await callbackUrl(victim, rig.startUrl(share), 'victim@example.com');
  const withState = (state: string | null) => {
    const url = new URL(mine);
    if (state === null) url.searchParams.delete('state');
    else url.searchParams.set('state', state);
    return url;
  };
  for (const url of [
    mine,
    withState(null),
    withState(''),
    withState('x'),
    withState('A'.repeat(22)),
    withState('é'),
  ]) {
    const answer = await victim.get(url);
    assert.deepEqual([answer.status, codeOf(answer)], [400, 'state_missing']);
  }
  assert.deepEqual(rig.provider('corp').exchanged, []);
});

test('callback refuses an attempt cookie that was renamed, or is no attempt of ours (3 Attempts)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  const first = await callbackUrl(browser, rig.startUrl(share), 'a@example.com');
  const [one] = attempts(browser);
  const second = await callbackUrl(browser, rig.startUrl(share), 'b@example.com');
  const two = attempts(browser).find(({ name }) => name !== one!.name)!;
  browser.jar.put({ ...two, value: one!.value });
  assert.equal(codeOf(await browser.get(second)), 'state_foreign');
  browser.jar.put({ ...one!, value: 'garbage' });
  assert.equal(codeOf(await browser.get(first)), 'state_foreign');
  assert.deepEqual(rig.provider('corp').exchanged, []);
});

test('callback refuses an attempt of provider A at B’s callback, or of a former generation (THREATS "Protocol": mix-up)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  const url = await callbackUrl(browser, rig.startUrl(share), 'a@example.com');
  for (const { generation } of [rig.provider('other'), rig.provider('corp')]) {
    Object.assign(rig.provider('other'), { generation });
    const answer = await browser.get(url.href.replace('/corp/', '/other/'));
    assert.deepEqual([answer.status, codeOf(answer)], [400, 'state_foreign']);
  }
  assert.deepEqual(rig.provider('other').exchanged, []);
  assert.equal((await browser.get(url)).status, 302);
  const again = await callbackUrl(browser, rig.startUrl(share), 'a@example.com');
  Object.assign(rig.provider('corp'), { generation: 'C'.repeat(22) });
  assert.equal(codeOf(await browser.get(again)), 'state_foreign');
});

test('callback refuses an attempt older than intermediate_lifetime and links back to the page (2.1, 3)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  const url = await callbackUrl(browser, rig.startUrl(share), 'a@example.com');
  rig.clock.now += rig.deps.oauth.intermediateLifetimeMs;
  const page = await browser.get(url, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 400);
  assert.match(String(page.body), /took too long/);
  assert.ok(String(page.body).includes(`https://${share.hosts[0]}/page`));
  assert.deepEqual(attempts(browser), []);
  assert.deepEqual(rig.provider('corp').exchanged, []);
  assert.deepEqual(rig.reasons('login.failed'), ['state_expired']);
});

test('callback accepts an attempt until the last moment of intermediate_lifetime (2.1)', async () => {
  await using rig = await createLoginRig();
  const browser = rig.browser();
  const url = await callbackUrl(browser, rig.startUrl(await rig.addShare()), 'a@example.com');
  rig.clock.now += rig.deps.oauth.intermediateLifetimeMs - 1;
  assert.equal((await browser.get(url)).status, 302);
});

test('callback uses an attempt once, also when copied and sent twice at the same time (THREATS "Protocol": replayed)', async () => {
  await using rig = await createLoginRig();
  const browser = rig.browser();
  const url = await callbackUrl(browser, rig.startUrl(await rig.addShare()), 'a@example.com');
  const [attempt] = attempts(browser);
  const both = await Promise.all([browser.get(url), browser.get(url)]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [302, 400]);
  browser.jar.put(attempt!);
  assert.equal(codeOf(await browser.get(url)), 'state_replayed');
  assert.equal(rig.provider('corp').exchanged.length, 1);
});

function attempts(browser: RigBrowser) {
  return browser.jar.all().filter(({ name }) => name.startsWith('__Host-svc-auth-attempt-'));
}
