import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as client from 'openid-client';
import { type DevIdp, startDevIdp } from './start.ts';

const REDIRECT_URI = 'http://login.share.localhost:8080/dev/auth/callback';
const CLIENTS = [{ clientId: 'doorward', clientSecret: 'a-secret-for-tests', redirectUris: [REDIRECT_URI] }];

let folder: string;
let idp: DevIdp;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'devidp-'));
  idp = await startDevIdp({ port: 0, clients: CLIENTS, folder });
});

after(async () => {
  await idp.close();
  await rm(folder, { recursive: true });
});

test('startDevIdp() refuses every address but loopback, and starts nothing (issue, quick start)', async () => {
  for (const host of ['0.0.0.0', '::', '10.0.0.7', '192.168.1.1', 'idp.example.com', '::ffff:10.0.0.7', ''])
    await assert.rejects(
      startDevIdp({ port: 0, host, clients: [], folder }),
      /only for tests on this machine/,
      host,
    );
  const issuer = 'http://idp.example.com';
  await assert.rejects(
    startDevIdp({ port: 0, issuer, clients: [], folder }),
    /only for tests on this machine/,
  );
});

test('startDevIdp() says on each page that it is for trying only (issue, quick start)', async () => {
  const { url } = await loginPage();
  for (const page of ['/', '/session/end', '/auth', '/interaction/none', new URL(url).pathname]) {
    const text = await (await fetch(new URL(page, idp.issuer), { headers: { accept: 'text/html' } })).text();
    // Without a session, /session/end sends a form of its own and shows nothing.
    if (page !== '/session/end') assert.match(text, /For tests only/, page);
    assert.doesNotMatch(text, /<b>/, page);
  }
});

test('startDevIdp() answers at its issuer only, not at names pointed to loopback (THREATS "Path and host confusion")', async () => {
  const { request } = await import('node:http');
  const status = await new Promise((resolve, reject) => {
    const asked = request(idp.issuer, { headers: { host: 'evil.example' } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on('error', reject).end();
  });
  assert.equal(status, 421);
});

test('startDevIdp() logs a person in by a plain form, with PKCE, nonce and a rotating refresh token (issue, quick start)', async () => {
  const { config, tokens } = await login('ada@example.com');
  const claims = tokens.claims();
  assert.ok(claims !== undefined && tokens.refresh_token !== undefined);
  const info = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
  assert.deepEqual([info.email, info.email_verified, info.name], ['ada@example.com', true, 'Ada Lovelace']);
  const renewed = await client.refreshTokenGrant(config, tokens.refresh_token);
  assert.notEqual(renewed.refresh_token, tokens.refresh_token);
  await assert.rejects(client.refreshTokenGrant(config, tokens.refresh_token), { error: 'invalid_grant' });
});

test('startDevIdp() takes any address that is typed, and knows one whose address is not verified (issue, quick start)', async () => {
  for (const [email, verified] of [
    ['new.person@elsewhere.test', true],
    ['unverified@example.com', false],
  ] as const) {
    const { config, tokens } = await login(email);
    const info = await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '');
    assert.deepEqual([info.email, info.email_verified], [email, verified]);
  }
});

test('startDevIdp() revokes a refresh token (RFC 7009)', async () => {
  const { config, tokens } = await login('grace@example.com');
  await client.tokenRevocation(config, tokens.refresh_token ?? '');
  await assert.rejects(client.refreshTokenGrant(config, tokens.refresh_token ?? ''), {
    error: 'invalid_grant',
  });
});

test('startDevIdp() asks again for prompt=login and prompt=select_account, and not otherwise (DESIGN "Logout")', async () => {
  const { jar } = await login('ada@example.com');
  assert.match((await loginPage({ jar })).location, /\/dev\/auth\/callback\?code=/);
  for (const prompt of ['login', 'select_account'])
    assert.equal((await loginPage({ jar, prompt })).status, 200, prompt);
});

test('startDevIdp() refuses what is no address, and lets the login be cancelled (issue, quick start)', async () => {
  const { url, jar } = await loginPage();
  const bad = await post(url, { email: '<b>nobody</b>' }, jar);
  assert.equal(bad.status, 422);
  assert.doesNotMatch(await bad.text(), /<b>nobody/);
  const cancelled = await follow(await post(url, { cancel: 'yes' }, jar), jar);
  assert.match(cancelled.location, /error=access_denied/);
});

test('startDevIdp() keeps its keys in the folder, for the owner alone, and is the same issuer again (issue, quick start)', async () => {
  const file = join(folder, 'keys.json');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const first = await (await fetch(new URL('/jwks', idp.issuer))).text();
  const again = await startDevIdp({ port: 0, clients: CLIENTS, folder });
  try {
    assert.equal(await (await fetch(new URL('/jwks', again.issuer))).text(), first);
    assert.doesNotMatch(first, /"d":/);
  } finally {
    await again.close();
  }
  assert.match(await readFile(file, 'utf8'), /"d":/);
});

type Jar = Map<string, string>;

async function login(email: string) {
  const jar: Jar = new Map();
  const { config, url, verifier, nonce, state } = await loginPage({ jar });
  const callback = await follow(await post(url, { email }, jar), jar);
  const tokens = await client.authorizationCodeGrant(config, new URL(callback.location), {
    pkceCodeVerifier: verifier,
    expectedNonce: nonce,
    expectedState: state,
  });
  return { config, tokens, jar };
}

/** Goes to the provider as a browser does, up to its login page or, with a session there, to the callback. */
async function loginPage({ jar = new Map(), prompt }: { jar?: Jar; prompt?: string } = {}) {
  const config = await client.discovery(
    new URL(idp.issuer),
    'doorward',
    undefined,
    client.ClientSecretBasic('a-secret-for-tests'),
    { execute: [client.allowInsecureRequests] },
  );
  const verifier = client.randomPKCECodeVerifier();
  const [nonce, state] = [client.randomNonce(), client.randomState()];
  const start = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid email profile offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    nonce,
    state,
    ...(prompt === undefined ? {} : { prompt }),
  });
  const { location, status } = await follow(await get(start.href, jar), jar);
  return { config, verifier, nonce, state, jar, location, status, url: location };
}

/** Follows redirects while they stay at the provider; `location` is where it ended or would have left to. */
async function follow(response: Response, jar: Jar): Promise<{ location: string; status: number }> {
  const to = response.headers.get('location');
  await response.arrayBuffer();
  if (to === null) return { location: response.url, status: response.status };
  const url = new URL(to, response.url);
  if (url.origin !== idp.issuer) return { location: url.href, status: response.status };
  return follow(await get(url.href, jar), jar);
}

function get(url: string, jar: Jar): Promise<Response> {
  return send(url, { method: 'GET' }, jar);
}

function post(url: string, fields: Record<string, string>, jar: Jar): Promise<Response> {
  return send(url, { method: 'POST', body: new URLSearchParams(fields) }, jar);
}

async function send(url: string, init: RequestInit, jar: Jar): Promise<Response> {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } });
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';');
    const [name = '', value = ''] = pair.split(/=(.*)/);
    if (value === '') jar.delete(name);
    else jar.set(name, value);
  }
  return response;
}
