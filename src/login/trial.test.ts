// Trials at the OAuth frontend: a sealed request in, what was found out, and no session of anything.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  callbackUrl,
  codeOf,
  createLoginRig,
  header,
  logIn,
  type LoginRig,
} from '../../test/support/login-rig.ts';
import { newId } from '../domain/id.ts';
import { randomToken } from '../domain/secret.ts';
import type { Answer } from '../http/answer.ts';
import { openConsoleGrant } from './console-grant.ts';
import { openConsoleRequest } from './console-target.ts';
import { openLoginRequest } from './login-request.ts';
import { loginUrl } from './login-url.ts';
import { createSeal } from './seal.ts';
import { openTrialOutcome, sealTrialOutcome, type TrialOutcome } from './trial-outcome.ts';
import { openTrialRequest, sealTrialRequest } from './trial-target.ts';

const seal = createSeal([{ signingKey: 's'.repeat(32), encryptionKey: 'e'.repeat(24) }]);
const REQUEST = { providerName: 'corp', bindingHash: randomToken(), expiresAt: 1_800_000_000_123 };
const PERSON: TrialOutcome = {
  kind: 'trial',
  id: newId('att'),
  providerName: 'corp',
  providerGeneration: randomToken(),
  bindingHash: randomToken(),
  expiresAt: 1_800_000_000_123,
  found: { kind: 'person', email: 'ann@example.com', subject: 'ä subject', canRefresh: true },
};
const FAULT: TrialOutcome = {
  ...PERSON,
  found: { kind: 'fault', code: 'provider_error', detail: 'Cannot exchange the code' },
};

test('sealTrialRequest() and sealTrialOutcome() keep every field', () => {
  assert.deepEqual(openTrialRequest(seal, sealTrialRequest(seal, REQUEST)), {
    ...REQUEST,
    kind: 'trial',
    selectAccount: true,
  });
  for (const outcome of [PERSON, FAULT])
    assert.deepEqual(openTrialOutcome(seal, sealTrialOutcome(seal, outcome)), outcome);
});

test('openTrialRequest() and openTrialOutcome() are null for anything else, and nothing else opens a trial', () => {
  const [request, outcome] = [sealTrialRequest(seal, REQUEST), sealTrialOutcome(seal, PERSON)];
  assert.equal(openTrialOutcome(seal, request), null);
  assert.equal(openTrialRequest(seal, outcome), null);
  for (const sealed of [request, outcome])
    for (const open of [openConsoleRequest, openConsoleGrant, openLoginRequest])
      assert.equal(open(seal, sealed), null);
  const whole = seal.open('trial-outcome', outcome) ?? new Uint8Array(0);
  fc.assert(
    fc.property(fc.nat(whole.length - 1), (at) => {
      assert.equal(openTrialOutcome(seal, seal.seal('trial-outcome', whole.subarray(0, at))), null);
    }),
  );
});

test('a trial ends with who the provider said it was, and makes no session', async () => {
  await using rig = await createLoginRig();
  const answer = await logIn(rig.browser(), startOf(rig), 'ann@example.com');
  assert.deepEqual(outcomeOf(rig, answer), {
    kind: 'trial',
    id: outcomeOf(rig, answer).id,
    providerName: 'corp',
    providerGeneration: rig.provider('corp').generation,
    bindingHash: REQUEST.bindingHash,
    expiresAt: rig.clock.now + 60_000,
    found: {
      kind: 'person',
      email: 'ann@example.com',
      subject: 'subject of ann@example.com',
      canRefresh: true,
    },
  });
  assert.equal(header(answer, 'referrer-policy'), 'no-referrer');
  const cookies = answer.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value);
  assert.ok(cookies.every((cookie) => cookie.startsWith('__Host-svc-auth-attempt-')));
  assert.deepEqual(rig.events, []);
  // Whoever tries may choose an account there.
  assert.equal(rig.provider('corp').started.at(-1)?.selectAccount, true);
});

test('a trial ends with what went wrong; exactly what is told to who defines the provider alone', async () => {
  await using rig = await createLoginRig();
  rig.provider('corp').script.identify = 'email_unverified';
  const { found } = outcomeOf(rig, await logIn(rig.browser(), startOf(rig), 'ann@example.com'));
  assert.deepEqual(found, { kind: 'fault', code: 'email_unverified', detail: '' });
  assert.deepEqual(rig.events, []);
  Object.assign(rig.provider('corp'), { accountId: newId('acc') });
  const own = outcomeOf(rig, await logIn(rig.browser(), startOf(rig), 'ann@example.com')).found;
  assert.ok(own.kind === 'fault' && own.detail !== '');
});

test('a trial of a provider that cannot even be asked ends with that, before anybody logs in', async () => {
  await using rig = await createLoginRig();
  rig.provider('corp').script.authorize = 'provider_unreachable';
  const answer = await rig.browser().get(startOf(rig));
  const { found, bindingHash } = outcomeOf(rig, answer);
  assert.equal(bindingHash, REQUEST.bindingHash);
  assert.deepEqual(found, { kind: 'fault', code: 'provider_unreachable', detail: '' });
  assert.deepEqual(rig.events, []);
});

test('an attempt of a trial counts once, in its own browser, and an old one tells nothing', async () => {
  await using rig = await createLoginRig();
  const browser = rig.browser();
  const back = await callbackUrl(browser, startOf(rig), 'ann@example.com');
  assert.equal(codeOf(await rig.browser().get(back)), 'state_missing');
  outcomeOf(rig, await browser.get(back));
  assert.equal(codeOf(await browser.get(back)), 'state_missing');
  const late = await callbackUrl(browser, startOf(rig), 'ann@example.com');
  rig.clock.now += rig.deps.oauth.intermediateLifetimeMs;
  assert.equal(codeOf(await browser.get(late)), 'state_expired');
});

test('a request for a trial starts nothing when it is old, or for another provider', async () => {
  await using rig = await createLoginRig();
  const late = await rig.browser().get(startOf(rig, rig.clock.now));
  assert.equal(codeOf(late), 'request_expired');
  const other = startOf(rig).replace('/corp/', '/other/');
  assert.equal(codeOf(await rig.browser().get(other)), 'request_invalid');
});

function startOf(rig: LoginRig, expiresAt = rig.clock.now + rig.deps.oauth.intermediateLifetimeMs): string {
  const sealed = sealTrialRequest(rig.deps.seal, { ...REQUEST, expiresAt });
  return loginUrl(rig.deps.oauth.endpointUrl, 'corp', sealed);
}

function outcomeOf(rig: LoginRig, answer: Answer): TrialOutcome {
  const location = new URL(header(answer, 'location') ?? '');
  assert.equal(`${location.origin}${location.pathname}`, 'https://control.example.com/auth/trial/outcome');
  const outcome = openTrialOutcome(rig.deps.seal, location.searchParams.get('outcome') ?? '');
  assert.ok(outcome);
  return outcome;
}
