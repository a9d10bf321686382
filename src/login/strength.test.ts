// A login that must show more than who somebody is: by which means, and how long ago they proved it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  callbackUrl,
  codeOf,
  createLoginRig,
  header,
  logIn,
  type LoginRig,
} from '../../test/support/login-rig.ts';
import type { LoginStrength } from '../domain/login-strength.ts';
import { NO_FACTS, type SessionFacts } from '../domain/session-facts.ts';

const EMAIL = 'a@example.com';
const STRENGTH: LoginStrength = { acrValues: ['gold', 'platinum'], maxAgeMs: 60_000 };

test('start asks the provider for what the login must show, and callback checks the answer (5.5)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const begun = { ...NO_FACTS, acr: 'gold', authTime: rig.clock.now - 70_000 };
  const cases: readonly (readonly [Partial<SessionFacts>, string | null])[] = [
    [{}, null],
    [{ acr: 'platinum' }, null],
    [{ acr: null }, 'acr_unmet'],
    [{ acr: 'silver' }, 'acr_unmet'],
    [{ authTime: null }, 'login_too_old'],
    [{ authTime: begun.authTime - 1 }, 'login_too_old'],
  ];
  for (const [over, code] of cases) {
    says(rig, { ...begun, ...over });
    const browser = rig.browser();
    const answer = await logIn(browser, rig.startUrl(share, { strength: STRENGTH }), EMAIL);
    assert.deepEqual(rig.provider('corp').started.at(-1)?.strength, STRENGTH);
    if (code === null) assert.equal(answer.status, 302, JSON.stringify(over));
    else {
      assert.deepEqual([answer.status, codeOf(answer)], [403, code], JSON.stringify(over));
      assert.equal(rig.reasons('login.refused').at(-1), code);
      assert.equal(browser.jar.find('svc-auth-session'), undefined);
    }
  }
});

test('callback measures the age from when the provider was asked, however long the person takes (5.5)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  const now = { acrValues: [], maxAgeMs: 0 };
  const url = await callbackUrl(browser, rig.startUrl(share, { strength: now }), EMAIL);
  says(rig, { ...NO_FACTS, authTime: rig.clock.now + 1_000 });
  rig.clock.now += 4 * 60_000;
  assert.equal((await browser.get(url)).status, 302);
});

test('callback checks what the provider’s settings ask of each login, also where nobody asks for more (5.5)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  rig.provider('corp').strength = { acrValues: ['gold', 'silver'], maxAgeMs: null };
  says(rig, { ...NO_FACTS, acr: 'bronze' });
  assert.equal(codeOf(await logIn(rig.browser(), rig.startUrl(share), EMAIL)), 'acr_unmet');
  assert.equal(codeOf(await logIn(rig.browser(), 'https://auth.example.com/corp/login', EMAIL)), 'acr_unmet');
  says(rig, { ...NO_FACTS, acr: 'silver' });
  assert.equal((await logIn(rig.browser(), rig.startUrl(share), EMAIL)).status, 302);
  // Both must hold.
  const gold = rig.startUrl(share, { strength: { acrValues: ['gold', 'other'], maxAgeMs: null } });
  assert.equal(codeOf(await logIn(rig.browser(), gold, EMAIL)), 'acr_unmet');
  assert.deepEqual(rig.provider('corp').started.at(-1)?.strength?.acrValues, ['gold']);
  says(rig, { ...NO_FACTS, acr: 'other' });
  assert.equal(codeOf(await logIn(rig.browser(), gold, EMAIL)), 'acr_unmet');
});

test('a login that was too weak can be tried again, and must show as much then (5.5)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  says(rig, NO_FACTS);
  const callback = await callbackUrl(browser, rig.startUrl(share, { strength: STRENGTH }), EMAIL);
  const page = await browser.get(callback, { headers: { accept: 'text/html' } });
  assert.match(String(page.body), /A stronger login is required/);
  const again = /href="(https:[^"]+[?]request=[^"]+)"/.exec(String(page.body))?.[1] ?? '';
  says(rig, { ...NO_FACTS, acr: 'silver', authTime: rig.clock.now });
  assert.equal(codeOf(await logIn(browser, again, EMAIL)), 'acr_unmet');
  assert.equal(rig.provider('corp').started.at(-1)?.selectAccount, true);
  says(rig, { ...NO_FACTS, acr: 'gold', authTime: rig.clock.now });
  const answer = await logIn(browser, again, EMAIL);
  assert.equal(header(answer, 'location'), `https://${share.hosts[0]}/page?q=1&r=a%20b`);
});

function says(rig: LoginRig, facts: SessionFacts): void {
  rig.provider('corp').accounts.set(EMAIL, { subject: 'subject a', email: EMAIL, facts });
}
