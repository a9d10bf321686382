// THREATS "Session and cookie" at the gate: only a whole, living session for this share, provider and browser
// lets somebody in, as themselves, whatever else a Cookie header holds. What logins and logouts do is in the
// file beside.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newId } from '../../src/domain/id.ts';
import { randomBytes, shortHash } from '../../src/domain/secret.ts';
import type { Share } from '../../src/domain/share.ts';
import { sealLoginRequest } from '../../src/login/login-request.ts';
import { createSeal, sealHeader } from '../../src/login/seal.ts';
import { sealSessions } from '../../src/login/session-cookie.ts';
import {
  BINDING_NAME,
  COOKIE_NAME,
  startTestGate,
  TEST_KEYS,
  testLogin,
  testShare,
  type TestGate,
  type TestLogin,
} from '../support/gate.ts';
import { startEchoBackend, type EchoBackend } from '../support/echo-backend.ts';

const HOST = 'demo.share.localhost';
const SECURE = {
  publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
  endpointUrl: 'https://auth.share.localhost',
} as const;
const HOUR = 3_600_000;
const STRANGER = createSeal([
  {
    signingKey: 'a signing key of somebody else, long enough',
    encryptionKey: 'an encryption key of somebody else',
  },
]);

let backend: EchoBackend;
let share: Share;
/** Over https sessions are bound to their browser; over plain HTTP they are not. */
let gate: TestGate;
let plain: TestGate;
let ada: TestLogin;
let seen = 0;

before(async () => {
  backend = await startEchoBackend();
  share = testShare('demo', backend.url, { login: testLogin({ emailPatterns: ['*@example.com'] }) });
  const other = testShare('other', backend.url, { login: testLogin() });
  gate = await startTestGate({ shares: [share, other], settings: SECURE });
  plain = await startTestGate({ shares: [share, other] });
  ada = gate.login(share);
});
after(async () => {
  await Promise.all([gate.close(), plain.close()]);
  await backend.close();
});
beforeEach(() => {
  seen = backend.seen.length;
});

async function whoIs(at: TestGate, cookie: string, host = HOST): Promise<string | number> {
  const answer = await at.call({ host, headers: { cookie } });
  if (answer.status !== 200) return answer.status;
  const { headers } = JSON.parse(answer.body) as { headers: Record<string, string> };
  return headers['svc-auth-email'] ?? 'nobody';
}

const valueOf = (login: TestLogin) => login.cookie.split('; ')[0]!.slice(COOKIE_NAME.length + 1);
const bindingOf = (login: TestLogin) => login.cookie.split('; ')[1]!;

const planted = (count: number) => `${COOKIE_NAME}=planted; `.repeat(count);

describe('Session and cookie: a cookie that was not sealed here as it is', () => {
  test('opens nothing with any one character changed, left out, doubled or added', async () => {
    const value = valueOf(ada);
    const changed = Array.from({ length: value.length }, (_, at) => {
      const front = value.slice(0, at);
      const behind = value.slice(at + 1);
      const char = value[at]!;
      return [front + (char === 'A' ? 'B' : 'A') + behind, front + behind, front + char + char + behind];
    }).flat();
    const swapped = value
      .split('.')
      .map((_, index, parts) => parts.with(index, parts[(index + 2) % parts.length]!).join('.'));
    const rubbish = [
      '',
      '.',
      '....',
      '.'.repeat(4_000),
      'null',
      '{}',
      '%00',
      '=',
      value.toUpperCase(),
      `"${value}"`,
      `${value} x`,
      `${value}=`,
      encodeURIComponent(`${value}%`),
      value + value,
      'x'.repeat(4_097),
      'x'.repeat(20_000),
    ];
    for (const sent of [...changed, ...swapped, ...rubbish].filter(
      (each) => each !== value && !each.includes(value),
    ))
      assert.equal(await whoIs(gate, `${COOKIE_NAME}=${sent}; ${bindingOf(ada)}`), 302, sent.slice(0, 80));
    assert.equal(backend.seen.length, seen);
    assert.equal(await whoIs(gate, ada.cookie), 'ada@example.com');
  });

  test('opens nothing when it was sealed for something else, or under another key with the name of ours', async () => {
    const strange = { signingKey: 'x'.repeat(32), encryptionKey: 'y'.repeat(24) };
    const halves = [
      { ...strange, signingKey: TEST_KEYS.signingKey },
      { ...strange, encryptionKey: TEST_KEYS.encryptionKey },
    ];
    const { session } = ada;
    const own = Buffer.from(JSON.stringify(sealHeader(TEST_KEYS, 'session'))).toString('base64url');
    const renamed = [strange, ...halves].map((keys) =>
      sealSessions(createSeal([keys]), [session]).replace(/^[^.]*/, own),
    );
    const expiresAt = Date.now() + HOUR;
    const request = sealLoginRequest(gate.seal, {
      shareId: share.id,
      providerName: 'corp',
      returnUrl: '/',
      bindingHash: null,
      selectAccount: false,
      addressKey: null,
      expiresAt,
    });
    const headers = [
      { alg: 'none' },
      { alg: 'dir', enc: 'A256CBC-HS512', zip: 'DEF' },
      { alg: 'RSA-OAEP' },
      { ...sealHeader(TEST_KEYS, 'session'), zip: 'DEF' },
    ];
    const headed = headers.map((header) =>
      valueOf(ada).replace(/^[^.]*/, Buffer.from(JSON.stringify(header)).toString('base64url')),
    );
    for (const sent of [...renamed, request, request.replace(/^[^.]*/, own), ...headed])
      assert.equal(await whoIs(gate, `${COOKIE_NAME}=${sent}; ${bindingOf(ada)}`), 302, sent.slice(0, 80));
  });

  test('does no harm when our own keys sealed rubbish', async () => {
    const contents = [
      Buffer.alloc(0),
      Buffer.from([1]),
      Buffer.from([1, 0]),
      Buffer.from([255, 255]),
      Buffer.alloc(2_700, 255),
      Buffer.from('[]'),
    ];
    for (let round = 0; round < 100; round++)
      contents.push(Buffer.concat([Buffer.from([1]), randomBytes(round)]));
    for (const content of contents)
      assert.equal(
        await whoIs(gate, `${COOKIE_NAME}=${gate.seal.seal('session', content)}; ${bindingOf(ada)}`),
        302,
      );
  });
});

describe('Session and cookie: a session that is whole', () => {
  test('opens one share, at one provider, in one browser, until it ends', async () => {
    const wrong: readonly (readonly [why: string, login: TestLogin])[] = [
      ['another share', gate.login(share, { shareId: newId('shr') })],
      ['another provider', gate.login(share, { providerGeneration: shortHash('another') })],
      ['another browser', gate.login(share, { bindingHash: shortHash('another') })],
      ['no browser', gate.login(share, { bindingHash: null })],
      ['it expired', gate.login(share, { expiresAt: Math.floor(Date.now() / 1000) * 1000 - 1000 })],
      ['it ended', gate.login(share, { ended: true })],
      ['the check is due', gate.login(share, { checkedAt: Date.now() - 4 * HOUR, refreshable: false })],
    ];
    for (const [why, login] of wrong) assert.equal(await whoIs(gate, login.cookie), 302, why);
    assert.equal(await whoIs(gate, gate.login(share, { email: 'eve@evil.org' }).cookie), 403);
    assert.equal(await whoIs(gate, ada.cookie, 'other.share.localhost'), 302, 'a share of the same provider');
    assert.equal(backend.seen.length, seen);
  });

  test('that the store never heard of opens nothing, and is asked for once', async () => {
    const session = { ...ada.session, id: newId('ses') };
    const cookie = `${COOKIE_NAME}=${sealSessions(gate.seal, [session])}; ${bindingOf(ada)}`;
    const asked = gate.questions().length;
    for (let round = 0; round < 5; round++) assert.equal(await whoIs(gate, cookie), 302);
    assert.equal(gate.questions().length, asked + 1);
  });

  test('that was forged costs the main thread no question, however many come', async () => {
    const [head, tail] = [valueOf(ada).slice(0, -43), valueOf(ada).slice(-43)];
    const asked = gate.questions().length;
    for (let round = 0; round < 100; round++) {
      const forged = `${head}${tail.slice(round % 43)}${tail.slice(0, round % 43)}`;
      if (forged === valueOf(ada)) continue;
      assert.equal(await whoIs(gate, `${COOKIE_NAME}=${forged}; ${bindingOf(ada)}`), 302);
      // Of an id that nobody has, and sealed under keys that are not ours.
      const session = { ...ada.session, id: newId('ses') };
      const foreign = sealSessions(STRANGER, [session]);
      assert.equal(await whoIs(gate, `${COOKIE_NAME}=${foreign}; ${bindingOf(ada)}`), 302);
    }
    assert.equal(gate.questions().length, asked);
  });

  test('of an attacker, planted beside or in place of the visitor’s own, is never taken', async () => {
    const eve = gate.login(share, {
      email: 'eve@example.com',
      binding: 'the-browser-of-eve-123',
      expiresAt: ada.session.expiresAt + HOUR,
    });
    const hers = `${COOKIE_NAME}=${valueOf(eve)}`;
    const own = `${COOKIE_NAME}=${valueOf(ada)}; ${bindingOf(ada)}`;
    assert.equal(await whoIs(gate, eve.cookie), 'eve@example.com', 'in their own browser');
    assert.equal(await whoIs(gate, `${hers}; ${own}`), 'ada@example.com');
    assert.equal(await whoIs(gate, `${own}; ${hers}`), 'ada@example.com');
    assert.equal(await whoIs(gate, `${hers}; ${hers}; ${hers}; ${own}`), 'ada@example.com');
    assert.equal(await whoIs(gate, `${hers}; ${bindingOf(ada)}`), 302);
    assert.equal(await whoIs(gate, hers), 302);
    // In one cookie with the visitor's own, as the OAuth frontend would seal what it found in a planted one.
    const both = sealSessions(gate.seal, [eve.session, ada.session]);
    assert.equal(await whoIs(gate, `${COOKIE_NAME}=${both}; ${bindingOf(ada)}`), 'ada@example.com');
  });

  test('is bound by a cookie of exactly our name: none that a sibling host could set', async () => {
    const eve = gate.login(share, { email: 'eve@example.com', binding: 'the-browser-of-eve-123' });
    const session = `${COOKIE_NAME}=${valueOf(eve)}`;
    const value = 'the-browser-of-eve-123';
    for (const name of [
      '__host-svc-auth-bind',
      '__HOST-SVC-AUTH-BIND',
      '__Secure-svc-auth-bind',
      'svc-auth-bind',
      '\xa0__Host-svc-auth-bind',
      '\x85__Host-svc-auth-bind',
      '\xe2\x80\x80__Host-svc-auth-bind',
      '"__Host-svc-auth-bind',
      '$__Host-svc-auth-bind',
      'x__Host-svc-auth-bind',
      '__Host-',
      '__Host-svc-auth',
    ])
      assert.equal(await whoIs(gate, `${session}; ${name}=${value}`), 302, name);
    assert.equal(await whoIs(gate, `${session}; $Version=1; x="y", ${BINDING_NAME}=${value}`), 302);
    for (const bound of ['', '=', '=""', `=${'x'.repeat(2_000)}`, '=x'])
      assert.equal(await whoIs(gate, `${session}; ${BINDING_NAME}${bound}`), 302, bound);
  });

  test('is found among three planted cookies before it and any number behind, and no more are tried', async () => {
    const [true_] = plain.login(share).cookie.split('; ');
    assert.equal(await whoIs(plain, `${planted(3)}${true_}; ${planted(300)}`), 'ada@example.com');
    assert.equal(await whoIs(plain, `${planted(4)}${true_}`), 302);
  });

  test('of a login over https does not open a share over plain HTTP, nor the reverse', async () => {
    const unbound = plain.login(share);
    assert.equal(await whoIs(plain, ada.cookie), 302);
    assert.equal(await whoIs(gate, unbound.cookie), 302);
  });
});
