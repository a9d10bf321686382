// THREATS "Protocol", "tokens in logs, URLs, Referer", and forged log lines: with the log at its most
// talkative, a whole life of a session leaves nothing in log, audit or metrics that would let a reader in,
// and no line that a visitor wrote.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { walkLogin, type BrowserAnswer } from '../support/browser-by-hand.ts';
import { callGate } from '../support/gate.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** Stands in queries, bodies and headers that nobody but the backend is to see. */
const PRIVATE = 'private-to-the-visitor';
let service: TestService;

before(async () => {
  const gone = {
    name: 'gone',
    type: 'oidc',
    client_id: 'x',
    client_secret: PRIVATE,
    issuer: 'http://127.0.0.1:1',
  };
  service = await startTestService({
    providers: () => [{ ...gone, scopes: ['openid', 'email'], supports_pkce: true }],
  });
});
after(() => service.close());

async function logText(): Promise<string> {
  // Workers write a fifth of a second later.
  await pause(400);
  return readFile(service.logFile, 'utf8');
}

test('Tokens in logs: no secret, code, token, cookie value or query of a login, its use and its logout', async () => {
  const share = await service.share('demo', { oauthCheckInterval: '1s' });
  const browser = service.browser();
  const wanted = `${share.url}/page?token=${PRIVATE}`;
  const walk = await walkLogin(browser, wanted, { email: 'ada@example.com' });
  assert.equal(walk.last.status, 200);
  const secrets = new Set<string>([PRIVATE, service.apiKey, ...(await keysOfConfiguration())]);
  collect(secrets, walk.answers);
  for (const { value } of browser.jar.all()) secrets.add(value);
  const { host } = new URL(share.url);
  const headers = {
    authorization: `Bearer ${PRIVATE}`,
    cookie: browser.jar.header(new URL(share.url)) ?? '',
    referer: `${share.url}/?${PRIVATE}`,
    'user-agent': PRIVATE,
  };
  const assertion = await callGate(service.ports.gateway, {
    host,
    method: 'POST',
    path: `/x?${PRIVATE}`,
    headers,
    body: PRIVATE,
  });
  secrets.add(
    (JSON.parse(assertion.body) as { headers: Record<string, string> }).headers['svc-auth-assertion'] ?? '',
  );
  // A refused callback, a replayed one, a failing provider, a backend that is away: what is logged as a
  // fault.
  for (const answer of walk.answers.filter(({ url }) => url.pathname.endsWith('/callback')))
    assert.equal((await browser.open(answer.url)).status, 400);
  await browser.open(
    `${service.endpointUrl}/corp/auth/callback?state=${'s'.repeat(22)}&code=${PRIVATE}&error_description=${PRIVATE}`,
  );
  service.idp.faults.refresh = 'server_error';
  await pause(1_000);
  await browser.request(`${share.url}/?${PRIVATE}`, { headers: { accept: 'application/json' } });
  service.idp.faults.refresh = 'none';
  assert.equal((await browser.open(`${service.endpointUrl}/gone/login?hint=${PRIVATE}`)).status, 503);
  const down = await service.share('down', { target: 'http://127.0.0.1:1', oauthProvider: null });
  assert.equal((await browser.open(`${down.url}/?${PRIVATE}`)).status, 502);
  const apiCall = {
    host: 'x',
    path: `/v1/shares?cursor=${PRIVATE}`,
    headers: { authorization: `Bearer ${service.apiKey}` },
  };
  await callGate(service.ports.control, apiCall);
  await callGate(service.ports.control, {
    ...apiCall,
    headers: { authorization: `Bearer dw_${'z'.repeat(43)}` },
  });
  secrets.add('z'.repeat(43));
  collect(secrets, [
    await browser.open(`${service.endpointUrl}/corp/logout?redirect_url=https://app.example.com/?${PRIVATE}`),
  ]);
  for (const token of service.idp.revoked) secrets.add(token);
  assert.ok(service.idp.revoked.length > 0 && secrets.size > 15, `${secrets.size} secrets`);
  await assertNowhere(secrets);
});

test('Tokens in logs: not in the path of a request either, where it can be helped', async () => {
  for (const target of [
    `http://user:${PRIVATE}@demo.share.localhost/`,
    `/a?b#${PRIVATE}`,
    `/a#${PRIVATE}`,
    `http://demo.share.localhost?${PRIVATE}`,
    `${PRIVATE}@x:80`,
  ])
    await raw(`GET ${target} HTTP/1.1\r\nHost: demo.share.localhost\r\nConnection: close\r\n\r\n`);
  await raw(`CONNECT ${PRIVATE}:443 HTTP/1.1\r\nHost: x\r\n\r\n`);
  await raw(`GET / HTTP/1.1\r\nHost: ${PRIVATE}:${PRIVATE}@x\r\n\r\n`);
  await assertNowhere(new Set([PRIVATE]));
});

test('Tokens in logs: no certificate request token, redeemed or refused, and none that somebody put into an address', async () => {
  const { certificates } = service.client;
  const input = { name: 'ann', commonName: 'ann' };
  const [used, bad, misplaced] = [
    await certificates.createToken(input),
    await certificates.createToken(input),
    await certificates.createToken(input),
  ].map(({ token }) => token);
  const { csr, key } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
  await certificates.redeem({ token: used ?? '', csr });
  const { csr: other } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
  await assert.rejects(certificates.redeem({ token: used ?? '', csr: other }), { code: 'token_used' });
  await assert.rejects(certificates.redeem({ token: bad ?? '', csr: key }), { code: 'csr_refused' });
  const { host } = new URL(service.config.control.publicUrl);
  const at = { host, headers: { accept: 'text/html', referer: `http://${host}/redeem?${misplaced}` } };
  for (const path of [`/redeem?${misplaced}`, `/redeem/${misplaced}`, `/redeem/files/${misplaced}`])
    await callGate(service.ports.control, { ...at, path });
  // The key's own lines: somebody pasted it in the place of a request.
  const lines = key.split('\n').filter((line) => /^[\w+/=]{20,}$/.test(line));
  assert.ok(lines.length > 1);
  await assertNowhere(new Set([used ?? '', bad ?? '', misplaced ?? '', ...lines]));
});

test('Tokens in logs: no page, redirect or referrer carries one on', async () => {
  const share = await service.share('onward');
  const browser = service.browser();
  const { answers } = await walkLogin(browser, share.url, { email: 'ada@example.com' });
  const ours = answers.filter(
    ({ url }) => url.hostname.endsWith('.share.localhost') && !url.href.startsWith(`${share.url}/`),
  );
  assert.ok(ours.length >= 2);
  for (const { headers } of ours) {
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['cache-control'], 'no-store');
  }
  const last = answers.findLast(({ location }) => location !== null);
  assert.equal(last?.location?.href, `${share.url}/`, 'the code stays behind');
});

test('Tokens in logs: what visitors and providers write makes no line of its own', async () => {
  const forged = '{"level":"info","msg":"forged"}';
  const lineEnds = ['\r\n', '\n', '%0d%0a', '%0a', '\u2028', '\u0085', '\x1b[2J', '"}\n{"'];
  for (const end of lineEnds) {
    const text = encodeURI(end) === end ? `/${end}${forged}` : `/x${end}${forged}`;
    await raw(
      `GET ${text} HTTP/1.1\r\nHost: x${end}${forged}\r\nX-Request-Id: ${end}${forged}\r\nUser-Agent: ${end}${forged}\r\nConnection: close\r\n\r\n`,
    );
    const query = encodeURIComponent(`${end}${forged}`);
    await callGate(service.ports.oauth, {
      host: 'x',
      path: `/corp/auth/callback?error=${query}&error_description=${query}&state=${query}`,
    });
    await callGate(service.ports.oauth, { host: 'x', path: `/${query}/login` });
    await callGate(service.ports.control, {
      host: 'x',
      path: `/v1/${query}`,
      headers: { authorization: `Bearer ${query}` },
    });
  }
  const person = service.idp.account('forger@example.com');
  const share = await service.share('forged');
  for (const email of [`a"b\\${'@'}example.com`, `{"msg":"forged"}@example.com`]) {
    person.email = email;
    await walkLogin(service.browser(), share.url, { email: 'forger@example.com' });
  }
  for (const line of (await logText()).split('\n').filter((each) => each !== '')) {
    const entry = JSON.parse(line) as { msg?: string };
    assert.notEqual(entry.msg, 'forged');
    // oxlint-disable-next-line no-control-regex -- a terminal would obey them
    assert.doesNotMatch(line, /[\0-\x1F\x7F]/);
  }
});

/** What travels in addresses and cookies of answers: codes, states, nonces, sealed requests, attempts. */
function collect(secrets: Set<string>, answers: readonly BrowserAnswer[]): void {
  for (const { url, location, setCookies } of answers) {
    for (const address of [url, location])
      for (const [name, value] of address?.searchParams ?? [])
        if (SECRET_PARAMETERS.has(name)) secrets.add(value);
    for (const cookie of setCookies) {
      const value = cookie.slice(cookie.indexOf('=') + 1).split(';', 1)[0] ?? '';
      if (value.length > 8) secrets.add(value);
    }
  }
}

async function keysOfConfiguration(): Promise<readonly string[]> {
  const { oauth, store } = service.config;
  const master = (await readFile(store.masterKeyFile, 'utf8')).trim();
  const secrets = oauth.providers.flatMap(({ clientSecret }) => clientSecret?.reveal() ?? []);
  return [oauth.keys.signingKey.reveal(), oauth.keys.encryptionKey.reveal(), master, ...secrets];
}

async function assertNowhere(secrets: ReadonlySet<string>): Promise<void> {
  const log = await logText();
  assert.ok(log.split('\n').length > 5);
  const audit = await callGate(service.ports.control, {
    host: 'x',
    path: '/v1/audit-events?limit=200',
    headers: { authorization: `Bearer ${service.apiKey}` },
  });
  const metrics = await callGate(service.ports.metrics, { host: 'x', path: '/metrics' });
  assert.deepEqual([audit.status, metrics.status], [200, 200]);
  for (const [where, text] of [
    ['log', log],
    ['audit', audit.body],
    ['metrics', metrics.body],
  ] as const)
    for (const secret of secrets)
      for (const form of [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString('base64').slice(0, -4),
      ])
        assert.ok(
          !text.includes(form),
          `${form} is in the ${where}: ${text.slice(Math.max(0, text.indexOf(form) - 300), text.indexOf(form) + 100)}`,
        );
}

function raw(bytes: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect({ port: service.ports.gateway, host: '127.0.0.1' });
  socket.setTimeout(500, () => socket.destroy());
  socket.on('error', () => {});
  socket.on('close', () => resolve());
  socket.resume().write(Buffer.from(bytes, 'utf8'));
  return promise;
}

const SECRET_PARAMETERS = new Set([
  'code',
  'state',
  'nonce',
  'code_challenge',
  'request',
  'iss_token',
  'id_token',
  'access_token',
]);
