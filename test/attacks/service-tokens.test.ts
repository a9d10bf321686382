// THREATS "Service tokens": a token counts in its header alone, at its shares alone, for as long as it is
// there and no longer; whatever happens, no backend, log, answer or event has it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, beforeEach, test } from 'node:test';
import { decodeJwt } from 'jose';
import { WebSocket, WebSocketServer } from 'ws';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '../../src/domain/id.ts';
import { secretHash, type Secret } from '../../src/domain/secret.ts';
import { newServiceToken, type ServiceToken } from '../../src/domain/service-token.ts';
import type { Share } from '../../src/domain/share.ts';
import { wouldLetIn } from '../../src/domain/would-let-in.ts';
import { startTestGate, testLogin, testShare, type TestAnswer, type TestGate } from '../support/gate.ts';
import { until } from '../support/until.ts';

const HOUR = 3_600_000;
/** What should end and does not must not hold up the run. */
const TIMED = { timeout: 60_000 };
const HOST = 'demo.share.localhost';
const SIBLING = 'sibling.share.localhost';
const OPEN = 'open.share.localhost';
const FOREIGN = 'foreign.share.localhost';
const BOTH = 'both.share.localhost';

let backend: Server;
let gate: TestGate;
let demo: Share;
let both: Share;
/** What the backends were sent. */
let seen: IncomingHttpHeaders[] = [];
/** Each test is another visitor, so that no count of failures reaches the next. */
let visitor = 0;
const secrets: string[] = [];

before(async () => {
  backend = createServer((request, response) => {
    seen.push(request.headers);
    response.end('ok');
  });
  const sockets = new WebSocketServer({ server: backend });
  sockets.on('connection', (_socket, request) => seen.push(request.headers));
  backend.listen(0, '127.0.0.1');
  await once(backend, 'listening');
  const target = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`;
  const rules = [{ allow: { tokens: ['deploy-*'] } }];
  demo = testShare('demo', target, { rules });
  const { accountId } = demo;
  both = testShare('both', target, { accountId, rules, login: testLogin() });
  gate = await startTestGate({
    shares: [
      demo,
      both,
      testShare('sibling', target, { accountId, rules }),
      testShare('open', target, { accountId }),
      testShare('foreign', target, { rules }),
    ],
    settings: { trustedProxies: ['127.0.0.1'] },
  });
});
after(async () => {
  await gate.close();
  backend.closeAllConnections();
  backend.close();
});
beforeEach(() => {
  seen = [];
  visitor++;
});

type Made = { readonly token: ServiceToken; readonly text: string };

/** As the feed tells of one that an admin made. */
function make(more: Partial<ServiceToken> = {}): Made {
  const secret: Secret = newServiceToken();
  const text = secret.reveal();
  secrets.push(text);
  const token: ServiceToken = {
    id: newId('tok'),
    accountId: demo.accountId,
    name: 'deploy-bot',
    hash: secretHash(secret),
    shareIds: [demo.id, both.id],
    expiresAt: Date.now() + HOUR,
    ...more,
  };
  gate.tell({ type: 'tokens', news: { reset: false, tokens: [token], gone: [] } });
  return { token, text };
}

function gone({ token }: Made): void {
  gate.tell({ type: 'tokens', news: { reset: false, tokens: [], gone: [token.id] } });
}

type Headers = Readonly<Record<string, string | readonly string[]>>;

async function call(headers: Headers, host = HOST, path = '/'): Promise<TestAnswer> {
  const from = { 'x-forwarded-for': `192.0.2.${visitor}` };
  const answer = await gate.call({
    host,
    path,
    headers: { ...from, accept: 'application/json', ...headers },
  });
  for (const secret of secrets) {
    assert.ok(!answer.body.includes(secret) && !JSON.stringify(answer.headers).includes(secret));
    assert.ok(!JSON.stringify(seen).includes(secret.slice(4)), 'no backend was sent a token');
  }
  return answer;
}

async function codeOf(headers: Headers, host = HOST, path = '/'): Promise<string> {
  const { status, body } = await call(headers, host, path);
  return status === 200 ? '200' : `${status} ${(JSON.parse(body) as { code: string }).code}`;
}

const INVALID = '401 service_token_invalid';

test('a token in either header lets the program in; the backend learns its name and no email, and gets no token (Service tokens)', async () => {
  const { text, token } = make();
  for (const headers of [{ 'svc-auth-token': text }, { authorization: `Bearer ${text}` }]) {
    seen = [];
    assert.equal(await codeOf({ ...headers, 'svc-auth-email': 'boss@example.com' }), '200');
    const [sent = {}] = seen;
    assert.equal(sent['svc-auth-provider'], 'token');
    assert.equal(sent['svc-auth-subject'], 'deploy-bot');
    assert.equal(sent['svc-auth-expires'], new Date(token.expiresAt).toISOString().replace(/\.\d+Z/, 'Z'));
    for (const name of ['svc-auth-email', 'svc-auth-token', 'authorization'])
      assert.equal(sent[name], undefined, name);
    const claims = decodeJwt(String(sent['svc-auth-assertion']));
    assert.deepEqual(
      [claims.sub, claims['provider'], claims['token'], claims['email']],
      ['token:deploy-bot', 'token', { id: token.id, name: token.name }, undefined],
    );
  }
  // What is the app's own goes on to the app.
  seen = [];
  await codeOf({ 'svc-auth-token': text, authorization: 'Basic dXNlcjpwYXNz' });
  assert.equal(seen[0]?.authorization, 'Basic dXNlcjpwYXNz');
});

test('a token in a query, a cookie or another header is nothing, and is in no log line (Service tokens)', async () => {
  const { text } = make();
  for (const [headers, path] of [
    [{}, `/?svc-auth-token=${text}`],
    [{}, `/?access_token=${text}`],
    [{ cookie: `svc-auth-token=${text}` }, '/'],
    [{ cookie: `__Host-svc-auth-token=${text}` }, '/'],
    [{ svc_auth_token: text }, '/'],
    [{ 'x-svc-auth-token': text }, '/'],
    [{ authorization: `Basic ${text}` }, '/'],
  ] as const)
    assert.equal(
      (await gate.call({ host: HOST, path, headers })).status,
      403,
      JSON.stringify(headers) + path,
    );
  assert.equal(seen.length, 0);
  assert.equal(await codeOf({ 'svc-auth-token': text }), '200');
  assert.equal(await codeOf({ 'svc-auth-token': text }, SIBLING), INVALID);
  await until(() => logText().includes(SIBLING));
  assert.match(logText(), /"token":"deploy-bot"/);
  const said = JSON.stringify(gate.said);
  for (const secret of secrets) assert.ok(!said.includes(secret), 'nothing that the gate says has a token');
});

test('a token of another share, another account, an unknown, expired or malformed one are all refused alike (Service tokens)', async () => {
  const { text } = make();
  const expired = make({ expiresAt: Date.now() });
  const foreign = make({ accountId: newId('acc') });
  const bodies = new Set<string>();
  for (const [token, host] of [
    [text, SIBLING],
    [text, FOREIGN],
    [expired.text, HOST],
    [foreign.text, HOST],
    [newServiceToken().reveal(), HOST],
    [text.slice(0, -1), HOST],
    [`${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`, HOST],
    ['dws_', HOST],
  ] as const) {
    const { status, body, headers } = await call({ 'svc-auth-token': token }, host);
    assert.equal(status, 401, token.slice(0, 8));
    assert.equal(headers['www-authenticate'], 'Bearer');
    const { request_id: _, ...rest } = JSON.parse(body) as Record<string, unknown>;
    bodies.add(JSON.stringify(rest));
  }
  assert.equal(bodies.size, 1, 'nobody learns which it was');
  assert.equal(seen.length, 0);
});

test('two tokens at once, and repeated headers, are refused (Service tokens)', async () => {
  const [one, two] = [make().text, make({ name: 'deploy-two' }).text];
  for (const headers of [
    { 'svc-auth-token': [one, two] },
    { 'svc-auth-token': [one, one] },
    { 'svc-auth-token': `${one}, ${two}` },
    { 'svc-auth-token': one, authorization: `Bearer ${two}` },
    { 'svc-auth-token': one, authorization: `bearer ${one}` },
  ])
    assert.equal(await codeOf(headers), INVALID, JSON.stringify(Object.keys(headers)));
  const twice = `GET / HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: Basic x\r\nAuthorization: Bearer ${one}\r\n\r\n`;
  assert.match(await gate.raw(twice), /^HTTP\/1\.1 401 /);
  assert.equal(seen.length, 0);
});

test(
  'a deleted token is refused, and the WebSocket that it opened ends (Service tokens)',
  TIMED,
  async (t) => {
    const made = make();
    const socket = new WebSocket(`ws://127.0.0.1:${gate.port}/`, {
      headers: { host: HOST, 'svc-auth-token': made.text },
    });
    socket.on('error', () => {});
    t.after(() => socket.terminate());
    await once(socket, 'open');
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.on('close', () => resolve());
    gone(made);
    await promise;
    assert.equal(await codeOf({ 'svc-auth-token': made.text }), INVALID);
  },
);

test(
  'a WebSocket ends with the token that opened it, when that expires or is no token of the share (Service tokens)',
  TIMED,
  async (t) => {
    for (const end of ['expiry', 'another share', 'reset'] as const) {
      const made = make({ expiresAt: Date.now() + (end === 'expiry' ? 1_500 : HOUR) });
      const socket = new WebSocket(`ws://127.0.0.1:${gate.port}/`, {
        headers: { host: HOST, authorization: `Bearer ${made.text}` },
      });
      socket.on('error', () => {});
      t.after(() => socket.terminate());
      await once(socket, 'open');
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.on('close', () => resolve());
      if (end === 'another share')
        gate.tell({
          type: 'tokens',
          news: { reset: false, tokens: [{ ...made.token, shareIds: [] }], gone: [] },
        });
      if (end === 'reset') gate.tell({ type: 'tokens', news: { reset: true, tokens: [], gone: [] } });
      await promise;
    }
  },
);

test('beside a session the token decides: nobody is both, and a bad token is not made good by a session (Service tokens)', async () => {
  const { cookie } = gate.login(both);
  const { text } = make();
  assert.equal(await codeOf({ cookie }, BOTH), '200');
  assert.equal(seen.at(-1)?.['svc-auth-email'], 'ada@example.com');
  assert.equal(await codeOf({ cookie, 'svc-auth-token': text }, BOTH), '200');
  assert.equal(seen.at(-1)?.['svc-auth-email'], undefined);
  assert.equal(seen.at(-1)?.['svc-auth-provider'], 'token');
  assert.equal(await codeOf({ cookie, 'svc-auth-token': `${text}x` }, BOTH), INVALID);
  const other = make({ name: 'reader' });
  assert.equal(await codeOf({ cookie, 'svc-auth-token': other.text }, BOTH), '403 service_token_refused');
  const tester = (token: string) => wouldLetIn(both, { email: 'ada@example.com', token }, Date.now()).outcome;
  assert.deepEqual([tester('deploy-bot'), tester('reader')], ['allowed', 'refused'], 'as the gate does');
  await until(() => gate.audits().some(({ kind }) => kind === 'service_token.refused'));
  const event = gate.audits().find(({ kind }) => kind === 'service_token.refused');
  assert.deepEqual([event?.actor, event?.reason], [`service-token:${other.token.id}`, 'reader']);
  // A page about the session is about the session.
  assert.equal(await codeOf({ cookie, 'svc-auth-token': text }, BOTH, '/.svc/session'), '200');
});

test('at a share whose rules name no tokens one means nothing, and is forwarded to nobody (Service tokens)', async () => {
  const { text } = make();
  for (const headers of [
    { 'svc-auth-token': text },
    { authorization: `Bearer ${text}` },
    { 'svc-auth-token': 'rubbish', authorization: 'Bearer dws_rubbish' },
  ]) {
    seen = [];
    assert.equal(await codeOf(headers, OPEN), '200');
    for (const name of ['svc-auth-token', 'authorization', 'svc-auth-provider', 'svc-auth-subject'])
      assert.equal(seen[0]?.[name], undefined, name);
  }
});

test('guessing is slowed down by address, and never stops a valid token (DESIGN "Rate limits")', async () => {
  const { text } = make();
  const codes: string[] = [];
  for (let guess = 0; guess < 12; guess++)
    codes.push(await codeOf({ 'svc-auth-token': newServiceToken().reveal() }));
  assert.deepEqual(codes.slice(9), [INVALID, '429 rate_limited', '429 rate_limited']);
  assert.equal(await codeOf({ 'svc-auth-token': text }), '200');
});

test('a token is sent by no browser on its own, so a request of another site that has one counts (DESIGN "Requests from other sites")', async () => {
  const { text } = make();
  const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  assert.equal(await codeOf({ ...foreign, 'svc-auth-token': text }), '200');
  const { cookie } = gate.login(both);
  assert.equal(await codeOf({ ...foreign, cookie }, BOTH), '403 foreign_origin');
});

test('the last use is told once a minute for each token, without the token (Service tokens)', async () => {
  const { text, token } = make();
  for (let use = 0; use < 3; use++) await codeOf({ 'svc-auth-token': text });
  const uses = () =>
    gate.said
      .flatMap((message) => (message.type === 'tokens-seen' ? message.uses : []))
      .filter(({ id }) => id === token.id);
  await until(() => uses().length > 0);
  await codeOf({ 'svc-auth-token': text });
  assert.equal(uses().length, 1);
});

function logText(): string {
  return gate.said.flatMap((message) => (message.type === 'log' ? [message.lines] : [])).join('');
}
