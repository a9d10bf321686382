// The last leg of a login over https at the gate (contract 4.1): which grant is taken, from whom, and what is
// asked of the main thread for it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId, type SessionId } from '../../src/domain/id.ts';
import { shortHash } from '../../src/domain/secret.ts';
import type { SessionState } from '../../src/domain/session.ts';
import type { Share } from '../../src/domain/share.ts';
import type { SessionQuestion, WorkerAnswer } from '../../src/gateway/messages.ts';
import { beginUrl, type BeginGrant } from '../../src/login/begin-grant.ts';
import { createSeal } from '../../src/login/seal.ts';
import { BINDING_NAME, startTestGate, testLogin, testShare, type TestGate } from '../support/gate.ts';
import { rawBackend, type RawBackend } from '../support/raw-backend.ts';

const HOST = 'demo.share.localhost';
const OTHER = 'other.share.localhost';
/** Which the session cookie does not reach. */
const AWAY = 'app.customer.localhost';
const PAGE = `https://${HOST}/page?q=1`;
const BINDING = 'a-binding-cookie-of-22';

let backend: RawBackend;
let gate: TestGate;
let share: Share;
let other: Share;
let requests = 0;
let answer: (question: SessionQuestion) => WorkerAnswer;
before(async () => {
  backend = await rawBackend((socket) => {
    requests++;
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  });
  const target = `http://127.0.0.1:${backend.port}`;
  share = testShare('demo', target, { login: testLogin(), hosts: [HOST, 'alias.share.localhost', AWAY] });
  other = testShare('other', target, { login: testLogin() });
  gate = await startTestGate({
    shares: [share, other, testShare('open', target)],
    settings: {
      publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
      endpointUrl: 'https://auth.share.localhost',
    },
    answers: (question) => answer(question),
  });
});
after(async () => {
  await gate.close();
  await backend.close();
});

test('begin asks for the session to be confirmed, in this browser, and goes on to the address (4.1)', async () => {
  answer = confirmed;
  const grant = grantOf();
  const asked = gate.questions().length;
  const response = await open(grant);
  assert.deepEqual([response.status, response.headers.location], [302, PAGE]);
  assert.equal(response.headers['cache-control'], 'no-store');
  assert.equal(response.headers['set-cookie'], undefined);
  const { expiresAt: _, returnUrl: __, addressKey: ___, session: ____, ...rest } = grant;
  assert.deepEqual(gate.questions().slice(asked), [{ ask: 'confirm', former: [], ...rest }]);
});

test('begin names what else the cookie has for the share, so that it can be replaced (DESIGN "One browser, many logins")', async () => {
  answer = confirmed;
  const former = gate.login(share, { binding: BINDING });
  const grant = grantOf();
  await open(grant, { cookie: former.cookie });
  assert.deepEqual((gate.questions().at(-1) as { former: unknown }).former, [former.session.id]);
});

test('begin confirms nothing in another browser, late, or over a binding that was made up; the address asks for a login (A session counts in the browser that logged in)', async () => {
  answer = () => assert.fail('nothing may be asked');
  for (const [grant, cookie, now] of [
    [grantOf(), '', Date.now()],
    [grantOf(), `${BINDING_NAME}=another-cookie-of-22-ch`, Date.now()],
    [grantOf(), `${BINDING_NAME}-${shortHash(BINDING).slice(0, 6)}=x`, Date.now()],
    [grantOf(), `${BINDING_NAME}=${BINDING}`, Date.now() - 30_000],
  ] as const) {
    const response = await open(grant, { cookie, now });
    assert.deepEqual([response.status, response.headers.location], [302, PAGE]);
  }
});

test('begin takes a grant at the host alone that it was made for (A session counts in the browser that logged in)', async () => {
  answer = () => assert.fail('nothing may be asked');
  const here = pathOf(grantOf());
  for (const [host, path] of [
    [OTHER, here],
    ['alias.share.localhost', here],
    [HOST, pathOf(grantOf({ shareId: other.id }))],
    [OTHER, pathOf(grantOf({ shareId: other.id }))],
    [HOST, pathOf(grantOf({ returnUrl: `https://${OTHER}/` }))],
    [HOST, pathOf(grantOf({ returnUrl: `https://${HOST}:444/` }))],
    [HOST, '/.svc/begin'],
    [HOST, '/.svc/begin?grant='],
    [HOST, '/.svc/begin?grant=x'],
    [HOST, `${here}&grant=x`],
    [HOST, here.slice(0, -1)],
    [HOST, `/.svc/begin?grant=${foreignSeal()}`],
  ] as const) {
    const { status, headers } = await call(host, path);
    assert.deepEqual([status, headers.location], [400, undefined], `${host} ${path.slice(0, 40)}`);
  }
  assert.equal((await call('open.share.localhost', here)).status, 404);
});

test('begin gives a host outside cookie_domain its own cookie once the session is confirmed, and only then (2.5)', async () => {
  const away = { ...grantOf({ returnUrl: `https://${AWAY}/page?q=1` }) };
  const { session } = gate.login(share, { binding: BINDING, id: away.sessionId });
  const grant = { ...away, session };
  answer = confirmed;
  const given = await call(AWAY, pathOf(grant));
  assert.deepEqual([given.status, given.headers.location], [302, grant.returnUrl]);
  const [cookie = '', ...more] = given.headers['set-cookie'] ?? [];
  assert.match(
    cookie,
    /^__Host-svc-auth-session=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
  );
  assert.deepEqual(more, []);
  const pair = `${cookie.split(';')[0]}; ${BINDING_NAME}=${BINDING}`;
  assert.equal((await call(AWAY, '/page', { cookie: pair })).status, 200);
  assert.equal((await call(AWAY, '/page', { cookie: pair.replace('__Host-svc', 'svc') })).status, 302);
  assert.equal((await call(HOST, '/page', { cookie: pair })).status, 302);
  const none = async (path: string, init: Parameters<typeof call>[2] = {}) => {
    const answered = await call(AWAY, path, init);
    assert.deepEqual([answered.status, answered.headers['set-cookie']], [302, undefined]);
  };
  // Late, in another browser, ended meanwhile, or not confirmed.
  await none(pathOf(grant, Date.now() - 30_000));
  await none(pathOf(grant), { cookie: `${BINDING_NAME}=another-cookie-of-22-ch` });
  for (const over of [{ ended: true }, { confirmed: false }]) {
    answer = ({ sessionId }) => ({ kind: 'session', state: { ...stateOf(sessionId), ...over } });
    await none(pathOf(grant));
  }
});

test('a logout at a host outside cookie_domain takes its own cookie back; elsewhere there is none (4.2.2)', async () => {
  const away = await call(AWAY, '/.svc/logout?redirect_url=https://example.com/');
  assert.match(
    String(away.headers['set-cookie']),
    /^__Host-svc-auth-session=; Path=\/; Max-Age=0; .*Secure$/,
  );
  assert.match(String(away.headers.location), /\/corp\/logout\?redirect_url=/);
  assert.equal((await call(HOST, '/.svc/logout')).headers['set-cookie'], undefined);
});

test('begin leads to no address of the service’s own, in any spelling', async () => {
  answer = () => assert.fail('nothing may be asked');
  for (const path of [
    '/.svc/logout',
    '/.svc/begin?grant=x',
    '/.svc',
    '/%2esvc/session',
    '/x/../.svc/logout',
    '//.svc/logout',
    '/.svc;a=b/logout',
    '/.%73vc%2flogout',
    '/a/%2e%2e/.svc/logout',
  ]) {
    const { status } = await call(HOST, pathOf(grantOf({ returnUrl: `https://${HOST}${path}` })));
    assert.equal(status, 400, path);
  }
});

test('begin is a page load of a person: no other method, no frame, nothing ahead (Sec-Purpose)', async () => {
  answer = () => assert.fail('nothing may be asked');
  const path = pathOf(grantOf());
  for (const method of ['HEAD', 'POST', 'OPTIONS'])
    assert.equal((await call(HOST, path, { method })).status, 405, method);
  for (const [mode, dest] of [
    ['navigate', 'iframe'],
    ['no-cors', 'image'],
    ['cors', 'empty'],
  ] as const)
    assert.equal(
      (await call(HOST, path, { headers: { 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } })).status,
      403,
      dest,
    );
});

test('nothing below /.svc/, and no login, happens ahead of the visitor (Sec-Purpose)', async () => {
  answer = () => assert.fail('nothing may be asked');
  const seen = requests;
  for (const [name, value] of AHEAD)
    for (const path of [pathOf(grantOf()), '/.svc/logout', '/.svc/session', '/page'])
      for (const site of ['none', 'same-origin']) {
        const headers = {
          [name]: value,
          'sec-fetch-site': site,
          'sec-fetch-mode': 'navigate',
          'sec-fetch-dest': 'document',
          referer: `https://${HOST}/own`,
        };
        const { status, headers: given } = await call(HOST, path, { headers });
        assert.deepEqual(
          [status, given.location, given['set-cookie'], given['cache-control']],
          [403, undefined, undefined, 'no-store'],
          `${path} ${name}: ${value}`,
        );
      }
  assert.equal(requests, seen);
});

test('begin says that the store is away, and can be tried again (DESIGN 3)', async () => {
  const grant = grantOf();
  answer = () => ({ kind: 'unavailable' });
  assert.equal((await open(grant)).status, 503);
  answer = confirmed;
  assert.equal((await open(grant)).status, 302);
});

test('a session that is not confirmed opens nothing, gives way to one that is, and opens once it is (A session counts in the browser that logged in)', async () => {
  const waiting = gate.login(share, { binding: BINDING, confirmed: false });
  let state = waiting.state;
  answer = () => ({ kind: 'session', state });
  const seen = requests;
  const refused = await call(HOST, '/page', { cookie: waiting.cookie });
  assert.equal(refused.status, 302);
  assert.match(refused.headers.location ?? '', /^https:\/\/auth\.share\.localhost\/corp\/login\?request=/);
  assert.equal(requests, seen);
  // Another gateway confirmed it, and nobody told this one yet.
  state = { ...state, confirmed: true };
  assert.equal((await call(HOST, '/page', { cookie: waiting.cookie })).status, 200);
  state = { ...state, confirmed: false };
  assert.equal(
    (await call(HOST, '/page', { cookie: waiting.cookie })).status,
    200,
    'never again unconfirmed',
  );
});

function confirmed({ sessionId }: SessionQuestion): WorkerAnswer {
  return { kind: 'session', state: stateOf(sessionId) };
}

function stateOf(id: SessionId): SessionState {
  const state = { id, subject: 's', checkedAt: Date.now(), refreshable: true };
  return { ...state, confirmed: true, ended: false };
}

function grantOf(over: Partial<BeginGrant> = {}): BeginGrant {
  return {
    sessionId: newId('ses'),
    shareId: share.id,
    bindingHash: shortHash(BINDING),
    returnUrl: PAGE,
    addressKey: null,
    setOutAt: Date.now() - 5_000,
    expiresAt: 0,
    session: null,
    ...over,
  };
}

/** As the callback seals it, at that time. */
function pathOf(grant: BeginGrant, now = Date.now()): string {
  const url = new URL(beginUrl(gate.seal, grant, now));
  return url.pathname + url.search;
}

function foreignSeal(): string {
  const seal = createSeal([{ signingKey: 'x'.repeat(32), encryptionKey: 'y'.repeat(24) }]);
  return new URL(beginUrl(seal, grantOf(), Date.now())).searchParams.get('grant') ?? '';
}

type How = {
  readonly method?: string;
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

function call(
  host: string,
  path: string,
  { method = 'GET', cookie = `${BINDING_NAME}=${BINDING}`, headers = {} }: How = {},
) {
  return gate.call({ host, path, method, headers: { cookie, accept: 'text/html', ...headers } });
}

function open(grant: BeginGrant, { cookie, now }: { cookie?: string; now?: number } = {}) {
  return call(HOST, pathOf(grant, now), cookie === undefined ? {} : { cookie });
}

const AHEAD = [
  ['sec-purpose', 'prefetch'],
  ['sec-purpose', 'prefetch;prerender'],
  ['sec-purpose', 'prefetch;anonymous-client-ip'],
  ['purpose', 'prefetch'],
  ['x-moz', 'prefetch'],
  ['x-purpose', 'preview'],
] as const;
