// Sessions as they change while the gate knows them: asked for once, checked, ended, and the store away
// (DESIGN 3).

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { test, type TestContext } from 'node:test';
import { parseEmailAddress } from '../../src/domain/email-address.ts';
import type { SessionState } from '../../src/domain/session.ts';
import type { WorkerAnswer, WorkerQuestion } from '../../src/gateway/messages.ts';
import { TUNNEL_PATH } from '../../src/tunnel/wire.ts';
import { steadyNow } from '../../src/gateway/steady-clock.ts';
import { startTestGate, testLogin, testShare, type TestGate, type TestGateOptions } from '../support/gate.ts';
import { echo, echoedValues, startBackend } from '../support/backend.ts';
import { testDirect } from '../support/way.ts';
import { until } from '../support/until.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const HOST = 'demo.share.localhost';
const HOUR = 3_600_000;

async function guardedGate(t: TestContext, options: TestGateOptions = {}) {
  const arrived = Promise.withResolvers<void>();
  const backend = await startBackend(t, (request, response) => {
    if (request.url === '/silent') {
      arrived.resolve();
      return;
    }
    if (request.url !== '/events') {
      echo(request, response);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: hello\n\n');
  });
  const share = testShare('demo', backend.url, { login: testLogin() });
  const gate = await startTestGate({ shares: [share], ...options });
  t.after(gate.close);
  return { share, gate, silent: arrived.promise };
}

/** An event stream that began; `cut` resolves when it breaks off. */
async function openEvents(gate: TestGate, cookie: string) {
  const request = httpRequest({
    port: gate.port,
    host: '127.0.0.1',
    path: '/events',
    headers: { host: HOST, cookie },
  });
  request.on('error', () => {});
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  await once(response, 'data');
  const { promise, resolve } = Promise.withResolvers<void>();
  response.on('error', () => {});
  response.on('close', () => {
    assert.equal(response.complete, false, 'it must not look whole');
    resolve();
  });
  return { cut: promise, leave: () => request.destroy() };
}

const codeOf = (body: string) => (JSON.parse(body) as { code: string }).code;

test('a session that is new here is asked for once, for all requests that wait (DESIGN 4)', async (t) => {
  const { gate, share } = await guardedGate(t);
  const { cookie } = gate.login(share);
  const calls = Array.from({ length: 20 }, () => gate.call({ host: HOST, headers: { cookie } }));
  for (const { status } of await Promise.all(calls)) assert.equal(status, 200);
  assert.equal(gate.questions().length, 1);
});

test('a session that the store does not know is no session, and one that cannot be looked up is 503 (DESIGN 3)', async (t) => {
  const answers: WorkerAnswer[] = [{ kind: 'unavailable' }, { kind: 'session', state: null }];
  const { gate, share } = await guardedGate(t, { answers: () => answers.shift()! });
  const { cookie } = gate.login(share);
  const away = await gate.call({ host: HOST, headers: { cookie } });
  assert.deepEqual([away.status, codeOf(away.body)], [503, 'store_unavailable']);
  assert.equal((await gate.call({ host: HOST, headers: { cookie } })).status, 302);
  assert.equal(
    (await gate.call({ host: HOST, headers: { cookie } })).status,
    302,
    'and is not asked for again',
  );
});

test('past the check interval one check is made for all, and then they pass (3, DESIGN "Check interval")', async (t) => {
  const checked = Promise.withResolvers<WorkerAnswer>();
  let state: SessionState | null = null;
  const asked: WorkerQuestion[] = [];
  const { gate, share } = await guardedGate(t, {
    answers: (question) => {
      asked.push(question);
      return question.ask === 'session' ? { kind: 'session', state } : checked.promise;
    },
  });
  const login = gate.login(share, { checkedAt: Date.now() - 4 * HOUR });
  state = login.state;
  const calls = Array.from({ length: 50 }, () =>
    gate.call({ host: HOST, headers: { cookie: login.cookie } }),
  );
  await until(() => asked.some(({ ask }) => ask === 'recheck'));
  checked.resolve({ kind: 'session', state: { ...login.state, checkedAt: Date.now() } });
  for (const { status } of await Promise.all(calls)) assert.equal(status, 200);
  assert.equal(asked.filter(({ ask }) => ask === 'recheck').length, 1);
});

test('a check that cannot be made sends people to log in, and tells programs to come back (DESIGN "Check interval")', async (t) => {
  const { gate, share } = await guardedGate(t);
  const { cookie } = gate.login(share, { checkedAt: Date.now() - 4 * HOUR });
  const page = await gate.call({ host: HOST, headers: { cookie, accept: 'text/html' } });
  assert.equal(page.status, 302);
  const call = await gate.call({ host: HOST, headers: { cookie, accept: 'application/json' } });
  assert.deepEqual([call.status, codeOf(call.body)], [503, 'recheck_unavailable']);
  assert.match(call.headers['retry-after'] ?? '', /^\d+$/);
});

test('a check that ends the session sends to log in (DESIGN "Check interval")', async (t) => {
  let state: SessionState | null = null;
  const { gate, share } = await guardedGate(t, {
    answers: ({ ask }) => ({
      kind: 'session',
      state: ask === 'recheck' ? { ...state!, ended: true } : state,
    }),
  });
  const login = gate.login(share, { checkedAt: Date.now() - 4 * HOUR });
  state = login.state;
  assert.equal((await gate.call({ host: HOST, headers: { cookie: login.cookie } })).status, 302);
});

test('at 90 % of the interval a check starts in the background, once (DESIGN "Check interval")', async (t) => {
  let state: SessionState | null = null;
  const { gate, share } = await guardedGate(t, {
    answers: ({ ask }) => (ask === 'recheck' ? new Promise(() => {}) : { kind: 'session', state }),
  });
  const login = gate.login(share, { checkedAt: Date.now() - 2.8 * HOUR });
  state = login.state;
  for (let call = 0; call < 3; call++)
    assert.equal((await gate.call({ host: HOST, headers: { cookie: login.cookie } })).status, 200);
  assert.equal(gate.questions().filter(({ ask }) => ask === 'recheck').length, 1);
  const young = gate.login(share, { checkedAt: Date.now() - 2.6 * HOUR });
  state = young.state;
  await gate.call({ host: HOST, headers: { cookie: young.cookie } });
  assert.equal(gate.questions().filter(({ ask }) => ask === 'recheck').length, 1);
});

test('an ended session is dead at once, its open streams within two seconds (DESIGN "Ended sessions")', async (t) => {
  const { gate, share } = await guardedGate(t);
  const login = gate.login(share);
  const other = gate.login(share);
  const events = await openEvents(gate, login.cookie);
  const others = await openEvents(gate, other.cookie);
  const startedAt = Date.now();
  gate.end(login);
  assert.equal((await gate.call({ host: HOST, headers: { cookie: login.cookie } })).status, 302);
  await events.cut;
  assert.ok(Date.now() - startedAt < PROMPTLY_MS);
  assert.equal((await gate.call({ host: HOST, headers: { cookie: other.cookie } })).status, 200);
  others.leave();
});

test('an answer that was on its way does not bring an ended session back (DESIGN "Ended sessions")', async (t) => {
  const answer = Promise.withResolvers<WorkerAnswer>();
  const { gate, share } = await guardedGate(t, { answers: () => answer.promise });
  const login = gate.login(share);
  const call = gate.call({ host: HOST, headers: { cookie: login.cookie } });
  await until(() => gate.questions().length > 0);
  gate.tell({ type: 'sessions', states: [{ ...login.state, ended: true }] });
  answer.resolve({ kind: 'session', state: login.state });
  assert.equal((await call).status, 302);
});

test('an address beyond ASCII matches in every spelling, and reaches the backend as UTF-8 (2.6; RFC 6531)', async (t) => {
  const { gate, share } = await guardedGate(t);
  const emailPatterns = ['jo\u0308rg@bücher.example'];
  gate.tell({ type: 'shares', upsert: [{ ...share, login: testLogin({ emailPatterns }) }], remove: [] });
  const { cookie } = gate.login(share, { email: parseEmailAddress('JÖRG@xn--bcher-kva.example') ?? '' });
  const { status, body } = await gate.call({ host: HOST, headers: { cookie } });
  assert.equal(status, 200, body);
  const [value = '', ...others] = echoedValues(body, 'svc-auth-email');
  assert.equal(Buffer.from(value, 'latin1').toString(), 'jörg@xn--bcher-kva.example');
  assert.deepEqual(others, []);
  const other = gate.login(share, { email: parseEmailAddress('jorg@bücher.example') ?? '' });
  assert.equal((await gate.call({ host: HOST, headers: { cookie: other.cookie } })).status, 403);
});

test('open streams end when the session expires, and when the share changes its mind (DESIGN "Ended sessions")', async (t) => {
  const { gate, share } = await guardedGate(t);
  // A cookie keeps whole seconds.
  const soon = gate.login(share, { expiresAt: (Math.floor(Date.now() / 1000) + 2) * 1000 });
  const expiring = await openEvents(gate, soon.cookie);
  await expiring.cut;
  assert.ok(Date.now() >= soon.session.expiresAt);
  const login = gate.login(share, { email: 'ada@example.com' });
  const events = await openEvents(gate, login.cookie);
  gate.tell({
    type: 'shares',
    upsert: [{ ...share, login: testLogin({ emailPatterns: ['*@corp.com'] }) }],
    remove: [],
  });
  await events.cut;
  gate.tell({ type: 'shares', upsert: [share], remove: [] });
  const again = await openEvents(gate, login.cookie);
  gate.tell({ type: 'shares', upsert: [], remove: [share.id] });
  await again.cut;
});

test('forgotten sessions are asked for again, those of open streams too (change feed)', async (t) => {
  const { gate, share } = await guardedGate(t);
  const login = gate.login(share);
  const kept = gate.login(share);
  const events = await openEvents(gate, login.cookie);
  const others = await openEvents(gate, kept.cookie);
  gate.login(share, { id: login.session.id, ended: true });
  gate.tell({ type: 'forget-sessions' });
  await events.cut;
  assert.equal((await gate.call({ host: HOST, headers: { cookie: kept.cookie } })).status, 200);
  others.leave();
});

test('an open stream whose session turns out to be due is checked, not cut (DESIGN "Ended sessions")', async (t) => {
  let state: SessionState | null = null;
  let checked: WorkerAnswer = { kind: 'unavailable' };
  const { gate, share } = await guardedGate(t, {
    answers: ({ ask }) => (ask === 'recheck' ? checked : { kind: 'session', state }),
  });
  const login = gate.login(share);
  state = login.state;
  const events = await openEvents(gate, login.cookie);
  const due = { ...login.state, checkedAt: Date.now() - 4 * HOUR };
  checked = { kind: 'session', state: login.state };
  for (let round = 1; round <= 2; round++) {
    state = due;
    gate.tell({ type: 'forget-sessions' });
    while (gate.questions().filter(({ ask }) => ask === 'recheck').length < round)
      assert.notEqual(await Promise.race([events.cut.then(() => 'cut'), new Promise(setImmediate)]), 'cut');
    // The answer to the check is known once this request is let in.
    assert.equal((await gate.call({ host: HOST, headers: { cookie: login.cookie } })).status, 200);
  }
  checked = { kind: 'unavailable' };
  gate.tell({ type: 'forget-sessions' });
  await events.cut;
});

testDirect(
  'with the store away known sessions are served for the grace, then nothing (DESIGN "Gateways and store")',
  async (t) => {
    const { gate, share } = await guardedGate(t, { settings: { outageGraceMs: 30_000 } });
    const login = gate.login(share);
    const events = await openEvents(gate, login.cookie);
    gate.storeGood(steadyNow() - 29_000);
    assert.equal((await gate.call({ host: HOST, headers: { cookie: login.cookie } })).status, 200);
    await events.cut;
    const away = await gate.call({ host: HOST, headers: { cookie: login.cookie } });
    assert.deepEqual([away.status, codeOf(away.body)], [503, 'store_unavailable']);
    const leaving = await gate.call({ host: HOST, path: '/.svc/logout', headers: { cookie: login.cookie } });
    assert.equal(leaving.status, 302, 'the way to the logout is shown all the same (contract 4.2)');
    gate.storeGood(steadyNow());
    assert.equal((await gate.call({ host: HOST, headers: { cookie: login.cookie } })).status, 200);
  },
);

testDirect(
  'a clock that is set cuts nothing, and makes no grace longer (DESIGN "Gateways and store")',
  async (t) => {
    const { gate, share, silent } = await guardedGate(t, {
      settings: { outageGraceMs: 30_000 },
      limits: { headMs: 60_000, bodyStallMs: 60_000, answerStallMs: 60_000 },
    });
    const login = gate.login(share);
    const dayTime = Date.now;
    const headers = { cookie: login.cookie };
    assert.equal((await gate.call({ host: HOST, headers })).status, 200);
    const events = await openEvents(gate, login.cookie);
    const waiting = gate.raw(
      `POST /silent HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 2\r\nCookie: ${login.cookie}\r\n\r\nx`,
      3_000,
    );
    await silent;
    // Once it asks for the session again it has looked at all that is open.
    const asked = gate.questions().length;
    gate.tell({ type: 'forget-sessions' });
    await until(() => gate.questions().length !== asked);
    t.mock.method(Date, 'now', () => dayTime() + 0.5 * HOUR);
    assert.equal((await gate.call({ host: HOST, headers })).status, 200);
    assert.equal(await waiting, '', 'the body may still come');
    assert.equal(await Promise.race([events.cut.then(() => 'cut'), Promise.resolve('open')]), 'open');
    events.leave();
    gate.storeGood(steadyNow() - 31_000);
    t.mock.method(Date, 'now', () => dayTime() - 0.5 * HOUR);
    assert.equal((await gate.call({ host: HOST, headers })).status, 503);
  },
);

test('sessions in use are told to the main thread in batches', async (t) => {
  const { gate, share } = await guardedGate(t);
  const login = gate.login(share);
  for (let call = 0; call < 3; call++) await gate.call({ host: HOST, headers: { cookie: login.cookie } });
  await gate.close();
  const seen = gate.said.flatMap((message) => (message.type === 'seen' ? message.sessions : []));
  assert.deepEqual(
    seen.map(({ id }) => id),
    [login.session.id],
  );
});

test('new keys and former keys open cookies after a reload (2.5, key rotation)', async (t) => {
  const { gate, share } = await guardedGate(t);
  const { cookie } = gate.login(share);
  const status = async () => (await gate.call({ host: HOST, headers: { cookie } })).status;
  assert.equal(await status(), 200);
  const fresh = { signingKey: 'f'.repeat(40), encryptionKey: 'g'.repeat(40) };
  gate.tell({ type: 'settings', settings: { ...gate.settings, keys: [fresh, ...gate.settings.keys] } });
  assert.equal(await status(), 200);
  gate.tell({ type: 'settings', settings: { ...gate.settings, keys: [fresh] } });
  assert.equal(await status(), 302);
});

test('the log has one line a request, without query, cookie or token', async (t) => {
  const { gate, share } = await guardedGate(t);
  const { cookie } = gate.login(share);
  await gate.call({
    host: HOST,
    path: '/path?token=secret-in-query',
    headers: { cookie, authorization: 'Bearer secret-b' },
  });
  await gate.close();
  const log = gate.said.flatMap((message) => (message.type === 'log' ? [message.lines] : [])).join('');
  const [line, ...more] = log.split('\n').filter((each) => each !== '' && !each.includes(TUNNEL_PATH));
  assert.equal(more.length, 0);
  const { time, ms: _ms, requestId, ...rest } = JSON.parse(line!) as Record<string, unknown>;
  assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(typeof requestId, 'string');
  assert.deepEqual(rest, {
    level: 'info',
    msg: 'request',
    share: 'demo',
    host: HOST,
    method: 'GET',
    path: '/path',
    status: 200,
    bytes: rest['bytes'],
    received: 0,
    ip: '127.0.0.1',
    protocol: 'HTTP/1.1',
    email: 'ada@example.com',
  });
  assert.doesNotMatch(log, /secret|svc-auth-session/);
});

test('metrics are told when asked for', async (t) => {
  const { gate, share } = await guardedGate(t);
  const { cookie } = gate.login(share);
  await gate.call({ host: HOST, headers: { cookie } });
  gate.tell({ type: 'metrics', id: 7 });
  await until(() => gate.said.some((message) => message.type === 'metrics'));
  const told = gate.said.find((message) => message.type === 'metrics');
  assert.ok(told?.type === 'metrics' && told.id === 7);
  const text = JSON.stringify(told.metrics);
  assert.match(text, /"name":"doorward_gateway_requests_total"[^]*"code":"2xx"/);
  assert.match(text, /doorward_gateway_decisions_total[^]*forward/);
});
