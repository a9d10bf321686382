// THREATS "Protocol", for back-channel logout: logout tokens that are wrong in one thing each (OpenID Connect
// Back-Channel Logout 1.0 section 2.6), bodies that are no form, and floods. What is refused ends nothing.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { exportJWK, exportSPKI, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose';
import type { SessionId } from '../../src/domain/id.ts';
import { createCallbackLimit } from '../../src/login/callback-limit.ts';
import { createLogin } from '../../src/login/login.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { type LoginFrontend, startLoginFrontend } from '../support/login-frontend.ts';
import { onEngines, type OpenStore } from '../support/on-engines.ts';
import { CLIENT, providerSettings } from '../support/providers/log-in-at.ts';
import {
  type OpenIdStandIn,
  signIdToken,
  startOpenIdStandIn,
  subjectOf,
} from '../support/providers/openid-stand-in.ts';
import { openTestStore } from '../support/store.ts';

const EMAIL = 'ann@example.com';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const FORM = 'application/x-www-form-urlencoded';
const PATH = '/corp/backchannel-logout';
const SID = 'sid of ann';

let frontend: LoginFrontend;
let standIn: OpenIdStandIn;
/** For the tests of one suite. */
function useFrontend(openStore: OpenStore): void {
  before(async () => {
    frontend = await startLoginFrontend(openStore);
    standIn = await startOpenIdStandIn(
      { clients: [{ ...CLIENT, redirectUris: [frontend.redirectUri('corp')] }] },
      { claims: (claims) => ({ ...claims, sid: SID }) },
    );
    frontend.useProviders([
      providerSettings({ issuer: standIn.issuer }),
      providerSettings({ name: 'second', issuer: standIn.issuer }),
      providerSettings({ name: 'hub', type: 'github' }),
    ]);
  });
  after(async () => {
    await standIn.close();
    await frontend[Symbol.asyncDispose]();
  });
}

async function logIn(): Promise<SessionId> {
  const share = await frontend.addShare({ provider: 'corp' });
  const browser = frontend.browser();
  await walkLogin(browser, frontend.startUrl(share), { email: EMAIL });
  const [session] = frontend.sessions(browser);
  assert.ok(session);
  return session.id;
}

async function isOver(id: SessionId): Promise<boolean> {
  return (await frontend.store.sessions.state(id))?.ended !== false;
}

type Refusal = { readonly status: number; readonly error: unknown; readonly description: string };

async function send(body: string | Uint8Array<ArrayBuffer>, type = FORM, path = PATH): Promise<Refusal> {
  const { port } = new URL(frontend.origin);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const answer = await response.text();
  const document = (answer === '' ? {} : JSON.parse(answer)) as Record<string, unknown>;
  return {
    status: response.status,
    error: document['error'],
    description: String(document['error_description'] ?? ''),
  };
}

function formOf(token: string): string {
  return new URLSearchParams({ logout_token: token }).toString();
}

let tokens = 0;
/** A logout token that is right in everything. */
function claimsOf(): JWTPayload {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: standIn.issuer,
    aud: CLIENT.clientId,
    sub: subjectOf(EMAIL),
    sid: SID,
    iat: now,
    exp: now + 120,
    jti: `token ${++tokens}`,
    events: { [EVENT]: {} },
  };
}

function without(claims: JWTPayload, name: string): JWTPayload {
  return Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name));
}

const secondsAgo = (seconds: number): number => Math.floor(Date.now() / 1000) - seconds;

const CLAIMS: Readonly<Record<string, (claims: JWTPayload) => JWTPayload>> = {
  'of another issuer': (claims) => ({ ...claims, iss: 'https://accounts.example' }),
  'without an issuer': (claims) => without(claims, 'iss'),
  'for another client': (claims) => ({ ...claims, aud: 'another client' }),
  'for nobody': (claims) => without(claims, 'aud'),
  'for another client too': (claims) => ({ ...claims, aud: [CLIENT.clientId, 'another client'] }),
  'issued to another client': (claims) => ({ ...claims, azp: 'another client' }),
  expired: (claims) => ({ ...claims, iat: secondsAgo(720), exp: secondsAgo(320) }),
  'issued minutes ago, without an expiry': (claims) => without({ ...claims, iat: secondsAgo(620) }, 'exp'),
  'of the future, without an expiry': (claims) => without({ ...claims, iat: secondsAgo(-600) }, 'exp'),
  'with an expiry that is no number': (claims) => ({ ...claims, exp: null as unknown as number }),
  'not valid yet': (claims) => ({ ...claims, nbf: secondsAgo(-600) }),
  'issued in the future': (claims) => ({ ...claims, iat: secondsAgo(-600), exp: secondsAgo(-720) }),
  'issued long ago': (claims) => ({ ...claims, iat: secondsAgo(7200) }),
  'without a time of issue': (claims) => without(claims, 'iat'),
  'with a time that is no number': (claims) => ({ ...claims, iat: String(claims.iat) as unknown as number }),
  'without an id': (claims) => without(claims, 'jti'),
  'with an empty id': (claims) => ({ ...claims, jti: '' }),
  'with an id that is no text': (claims) => ({ ...claims, jti: 7 as unknown as string }),
  'without events': (claims) => without(claims, 'events'),
  'with events that are no object': (claims) => ({ ...claims, events: [EVENT] }),
  'with another event': (claims) => ({ ...claims, events: { 'http://schemas.openid.net/event/x': {} } }),
  'with an event that is no object': (claims) => ({ ...claims, events: { [EVENT]: true } }),
  'with an event that is null': (claims) => ({ ...claims, events: { [EVENT]: null } }),
  'with a nonce, as an id token': (claims) => ({ ...claims, nonce: 'any' }),
  'with a null nonce': (claims) => ({ ...claims, nonce: null }),
  'of nobody': (claims) => without(without(claims, 'sub'), 'sid'),
  'of an empty subject': (claims) => ({ ...claims, sub: '' }),
  'of a subject with a line break': (claims) => ({ ...claims, sub: 'a\r\nb' }),
  'of a session that is no text': (claims) => ({ ...claims, sid: 7 }),
  'of a null session': (claims) => ({ ...claims, sid: null }),
  'that is an id token': (claims) => ({ ...without(without(claims, 'events'), 'jti'), nonce: 'any' }),
};

type Maker = (claims: JWTPayload) => Promise<string>;

const SIGNATURES: Readonly<Record<string, Maker>> = {
  'alg none': async (claims) => unsigned({ alg: 'none' }, claims),
  'alg nOnE': async (claims) => unsigned({ alg: 'nOnE' }, claims),
  'no alg': async (claims) => unsigned({}, claims),
  'HS256 with the public key': async (claims) => {
    const { publicJwk, kid } = standIn.keys;
    const key = (await importJWK({ ...publicJwk, ext: true }, 'RS256')) as CryptoKey;
    return hmac(claims, await exportSPKI(key), kid);
  },
  'HS256 with the client secret': (claims) => hmac(claims, CLIENT.clientSecret, standIn.keys.kid),
  'a key in the header': (claims) => byStranger(claims, (jwk) => ({ jwk })),
  'a key of a stranger': (claims) => byStranger(claims, () => ({})),
  'a key set in the header': (claims) => byStranger(claims, () => ({ jku: 'http://127.0.0.1:1/jwks' })),
  'an unknown key id': (claims) => signIdToken(claims, standIn.keys, { kid: 'another' }),
  'another type of token': (claims) => signIdToken(claims, standIn.keys, { typ: 'at+jwt' }),
  'a critical header that nobody knows': async (claims) => {
    const [, payload, signature] = (await signIdToken(claims, standIn.keys)).split('.');
    return `${encode({ alg: 'RS256', kid: standIn.keys.kid, crit: ['x'], x: 1 })}.${payload}.${signature}`;
  },
  'a flipped claim': async (claims) => {
    const [header, , signature] = (await signIdToken(claims, standIn.keys)).split('.');
    return `${header}.${encode({ ...claims, sub: 'another' })}.${signature}`;
  },
  'five parts': async () => 'a.b.c.d.e',
  garbage: async () => 'nothing',
  nothing: async () => '',
};

// What is refused is refused before the store is asked.
describe('what is no logout token', () => {
  useFrontend(openTestStore);

  describe('Protocol: logout tokens that are wrong in one thing end nothing', () => {
    for (const [name, change] of Object.entries(CLAIMS))
      test(name, async () => {
        await refused(await signIdToken(change(claimsOf()), standIn.keys));
      });
    for (const [name, make] of Object.entries(SIGNATURES))
      test(name, async () => {
        await refused(await make(claimsOf()));
      });
  });

  test('Protocol: what is no form with one token is refused (section 2.5)', async () => {
    const id = await logIn();
    const token = await signIdToken(claimsOf(), standIn.keys);
    const wrong: readonly (readonly [body: string, type: string])[] = [
      ['', FORM],
      ['other=1', FORM],
      [`${formOf(token)}&${formOf(token)}`, FORM],
      [JSON.stringify({ logout_token: token }), 'application/json'],
      [formOf(token), 'text/plain'],
      [formOf(token), 'multipart/form-data'],
    ];
    for (const [body, type] of wrong) {
      const answer = await send(body, type);
      assert.deepEqual(
        [answer.status, answer.error],
        [400, 'invalid_request'],
        `${type} ${body.slice(0, 20)}`,
      );
    }
    assert.equal(await isOver(id), false);
  });

  test('Protocol: no other method, no other provider, no other type of provider', async () => {
    const { port } = new URL(frontend.origin);
    const statusOf = async (method: string, path: string) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { method })).status;
    for (const method of ['GET', 'PUT', 'DELETE']) assert.equal(await statusOf(method, PATH), 405);
    assert.equal(await statusOf('POST', '/nobody/backchannel-logout'), 404);
    assert.equal(await statusOf('POST', '/hub/backchannel-logout'), 404);
    assert.equal(await statusOf('POST', '/corp/logout'), 405);
  });

  test('Exhaustion: a body is read up to 64 KiB, and no other route reads one', async () => {
    const id = await logIn();
    const token = await signIdToken(claimsOf(), standIn.keys);
    const large = await send(`${formOf(token)}&filler=${'x'.repeat(64 * 1024)}`);
    assert.deepEqual([large.status, large.error], [400, 'invalid_request']);
    assert.equal(await isOver(id), false);
    const answer = await sendEndless(PATH);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /\r\nconnection: close\r\n/i);
    assert.match(await sendEndless('/corp/logout'), /^HTTP\/1\.1 405 /);
  });

  test('Exhaustion: an address that sends bad tokens must wait, and its good ones too', async () => {
    const limiter = createCallbackLimit(3);
    const login = createLogin({ ...frontend.deps, limiter });
    const call = (token: string) =>
      login({
        method: 'POST',
        path: PATH,
        query: new URLSearchParams(),
        rawQuery: '',
        headers: { 'content-type': FORM },
        cookies: [],
        body: formOf(token),
        ip: '192.0.2.7',
        requestId: 'req-1',
      });
    for (let count = 0; count < 3; count++) assert.equal((await call('bad')).status, 400);
    const keySetsAsked = standIn.counts.jwks;
    const blocked = await call(await signIdToken(claimsOf(), standIn.keys));
    assert.equal(blocked.status, 429);
    assert.ok(blocked.headers.some(([name, value]) => name === 'retry-after' && Number(value) > 0));
    assert.equal(standIn.counts.jwks, keySetsAsked);
  });

  test('Exhaustion: bad tokens at one provider, and what browsers post, keep no other logout or login waiting', async () => {
    const limiter = createCallbackLimit(3);
    const login = createLogin({ ...frontend.deps, limiter });
    const ask = (path: string, token: string, more: Record<string, string> = {}) =>
      login({
        method: path === PATH || path.endsWith('logout') ? 'POST' : 'GET',
        path,
        query: new URLSearchParams(),
        rawQuery: '',
        headers: { 'content-type': FORM, ...more },
        cookies: [],
        body: formOf(token),
        ip: '192.0.2.7',
        requestId: 'req-1',
      });
    for (let count = 0; count < 4; count++)
      assert.equal((await ask(PATH, 'bad', { 'sec-fetch-site': 'cross-site' })).status, 400);
    const good = await signIdToken(claimsOf(), standIn.keys);
    assert.equal((await ask(PATH, good, { 'sec-fetch-site': 'same-origin' })).status, 400);
    assert.equal((await ask(PATH, good)).status, 200);
    for (let count = 0; count < 3; count++) assert.equal((await ask(PATH, 'bad')).status, 400);
    assert.equal((await ask(PATH, 'bad')).status, 429);
    assert.equal((await ask('/second/backchannel-logout', 'bad')).status, 400);
    assert.equal((await ask('/corp/auth/callback', '')).status, 400);
  });

  test('Protocol: a refused logout token is in the audit and in the log with what to do, a few times a minute', async () => {
    const logged: unknown[] = [];
    const log = { warn: (about: unknown) => logged.push(about), error: () => undefined };
    const login = createLogin({ ...frontend.deps, log, limiter: createCallbackLimit(100) });
    const token = await signIdToken({ ...claimsOf(), aud: 'another client' }, standIn.keys);
    const known = frontend.events.length;
    for (let count = 0; count < 20; count++)
      await login({
        method: 'POST',
        path: PATH,
        query: new URLSearchParams(),
        rawQuery: '',
        headers: { 'content-type': FORM },
        cookies: [],
        body: formOf(token),
        ip: '192.0.2.7',
        requestId: 'req-1',
      });
    const events = frontend.events.slice(known);
    assert.equal(events.length, 5);
    assert.deepEqual(
      [events[0]?.kind, events[0]?.provider, events[0]?.reason],
      ['backchannel_logout.refused', 'corp', 'provider_error'],
    );
    assert.match(JSON.stringify(logged[0]), /Check client_id\. The logout token is for another client/);
    assert.ok(!JSON.stringify(logged).includes(token.slice(0, 40)));
  });

  test('Protocol: a logout token has the algorithm of the id tokens of this client, not another that the provider knows', async () => {
    const id = await logIn();
    const { privateKey } = await generateKeyPair('PS256');
    const other = await new SignJWT(claimsOf())
      .setProtectedHeader({ alg: 'PS256', kid: standIn.keys.kid })
      .sign(privateKey);
    const answer = await send(formOf(other));
    assert.equal(answer.status, 400);
    assert.match(answer.description, /"alg".*not allowed/);
    assert.equal(await isOver(id), false);
  });

  test('Exhaustion: unknown key ids do not make the service ask for keys without end', async () => {
    const asked = standIn.counts.jwks;
    const flood = Array.from({ length: 30 }, (_, index) =>
      signIdToken(claimsOf(), standIn.keys, { kid: `kid ${index}` }).then((token) => send(formOf(token))),
    );
    assert.ok((await Promise.all(flood)).every(({ status }) => status === 400));
    assert.ok(standIn.counts.jwks - asked <= 1);
  });
});

onEngines('logout tokens', ({ openStore }) => {
  useFrontend(openStore);

  describe('Protocol: logout tokens that are right end what they name', () => {
    const right: Readonly<Record<string, (claims: JWTPayload) => JWTPayload>> = {
      'with subject and session': (claims) => claims,
      'with a subject alone': (claims) => without(claims, 'sid'),
      'with a session alone': (claims) => without(claims, 'sub'),
      'with the client in a list': (claims) => ({ ...claims, aud: [CLIENT.clientId] }),
      'without an expiry, as drafts had it': (claims) => without(claims, 'exp'),
      'without an expiry, of a clock that is minutes behind': (claims) =>
        without({ ...claims, iat: secondsAgo(240) }, 'exp'),
      'of a clock that is minutes ahead': (claims) => ({
        ...claims,
        iat: secondsAgo(-240),
        exp: secondsAgo(-360),
      }),
      'over since minutes by our clock': (claims) => ({
        ...claims,
        iat: secondsAgo(360),
        exp: secondsAgo(240),
      }),
      'with further events': (claims) => ({ ...claims, events: { [EVENT]: {}, 'https://x.example': {} } }),
    };
    for (const [name, change] of Object.entries(right))
      test(name, async () => {
        const id = await logIn();
        assert.equal((await send(formOf(await signIdToken(change(claimsOf()), standIn.keys)))).status, 200);
        assert.equal(await isOver(id), true);
      });

    test('typed as logout+jwt', async () => {
      const id = await logIn();
      const token = await signIdToken(claimsOf(), standIn.keys, { typ: 'logout+jwt' });
      // Further parameters of the form are somebody else's (section 2.5).
      assert.equal((await send(`${formOf(token)}&other=1`, `${FORM}; charset=utf-8`)).status, 200);
      assert.equal(await isOver(id), true);
    });

    test('and nobody else’s: another subject, another session', async () => {
      const id = await logIn();
      for (const change of [{ sub: 'another' }, { sid: 'another' }]) {
        const token = await signIdToken({ ...claimsOf(), ...change }, standIn.keys);
        assert.equal((await send(formOf(token))).status, 200);
        assert.equal(await isOver(id), false);
      }
    });
  });

  test('Protocol: a logout token counts once, also when it comes many times at once', async () => {
    const id = await logIn();
    const token = await signIdToken(claimsOf(), standIn.keys);
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(formOf(token))));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(await isOver(id), true);
    const later = await logIn();
    const replay = await send(formOf(token));
    assert.deepEqual([replay.status, replay.error], [400, 'invalid_request']);
    assert.equal(await isOver(later), false);
  });
});

async function refused(token: string): Promise<void> {
  const id = await logIn();
  const answer = await send(formOf(token));
  assert.deepEqual([answer.status, answer.error], [400, 'invalid_request']);
  assert.ok(!answer.description.includes(token.slice(0, 20)) || token === '');
  assert.equal(await isOver(id), false);
}

/**
 * A request whose body never ends; answers what came back until the connection was closed, or the answer was
 * whole.
 */
async function sendEndless(path: string): Promise<string> {
  const { port, host } = new URL(frontend.origin);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: ${FORM}\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  for (let count = 0; count < 2; count++) socket.write(chunk);
  const [head] = (await once(socket, 'data')) as [Buffer];
  socket.end();
  const rest = await text(socket).catch(() => '');
  return head.toString() + rest;
}

function hmac(claims: JWTPayload, secret: string, kid: string): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid })
    .sign(Buffer.from(secret.padEnd(32, '\0')));
}

async function byStranger(
  claims: JWTPayload,
  header: (jwk: Awaited<ReturnType<typeof exportJWK>>) => object,
): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const offered = header(await exportJWK(publicKey));
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: standIn.keys.kid, ...offered })
    .sign(privateKey);
}

function unsigned(header: object, claims: JWTPayload): string {
  return `${encode(header)}.${encode(claims)}.`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
