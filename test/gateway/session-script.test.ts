// `/.svc/session.js` and `/.svc/login` at the gate (contract 5.2): what anybody gets, and what nobody gets by
// them.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { openLoginRequest } from '../../src/login/login-request.ts';
import { startTestGate, testLogin, testShare } from '../support/gate.ts';
import { echo, startBackend } from '../support/backend.ts';

const HOST = 'demo.share.localhost';
const ORIGIN = `https://${HOST}`;

async function rig(t: TestContext) {
  const backend = await startBackend(t, echo);
  const share = testShare('demo', backend.url, { login: testLogin() });
  const gate = await startTestGate({
    shares: [share, testShare('open', backend.url)],
    settings: {
      publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
      endpointUrl: 'https://auth.share.localhost',
    },
  });
  t.after(gate.close);
  const call = (path: string, headers: Record<string, string> = {}, method = 'GET', host = HOST) =>
    gate.call({ host, path, method, headers: { accept: 'text/html', ...headers } });
  return { gate, share, call };
}

test('/.svc/session.js is one script for everybody, which may be kept, and which no other origin can load (5.2)', async (t) => {
  const { gate, share, call } = await rig(t);
  const first = await call('/.svc/session.js');
  assert.equal(first.status, 200);
  assert.equal(first.headers['content-type'], 'text/javascript; charset=utf-8');
  assert.equal(first.headers['cache-control'], 'public, max-age=3600');
  assert.equal(first.headers['cross-origin-resource-policy'], 'same-origin');
  assert.equal(first.headers['x-content-type-options'], 'nosniff');
  assert.equal(first.headers['set-cookie'], undefined);
  assert.doesNotMatch(first.body, /^(?:import|export) |innerHTML|eval\(/m);
  assert.ok(first.body.length < 12_000, `${first.body.length} characters`);
  const { cookie } = gate.login(share);
  const asked = gate.questions().length;
  const inside = await call('/.svc/session.js?v=2', { cookie, 'sec-fetch-site': 'cross-site' });
  assert.deepEqual([inside.status, inside.body], [200, first.body], 'nothing of who asks');
  assert.equal(gate.questions().length, asked, 'no session was looked up');
  assert.equal((await call('/.svc/session.js', {}, 'GET', 'open.share.localhost')).body, first.body);
  const head = await call('/.svc/session.js', {}, 'HEAD');
  assert.deepEqual([head.status, head.body, head.headers.etag], [200, '', first.headers.etag]);
  const ahead = await call('/.svc/session.js', { 'sec-purpose': 'prefetch;prerender' });
  assert.equal(ahead.status, 200, 'a page that is rendered ahead has it, too');
  for (const tag of [first.headers.etag!, `W/${first.headers.etag}`, `"x", ${first.headers.etag}`]) {
    const known = await call('/.svc/session.js', { 'if-none-match': tag });
    assert.deepEqual([known.status, known.body, known.headers.etag], [304, '', first.headers.etag]);
  }
  assert.equal((await call('/.svc/session.js', { 'if-none-match': '"other"' })).status, 200);
  const posted = await call('/.svc/session.js', {}, 'POST');
  assert.deepEqual([posted.status, posted.headers.allow], [405, 'GET, HEAD']);
  for (const path of ['/.svc/session.js/', '/.svc/session.JS', '/.svc//session.js', '/.svc/session.js%00'])
    assert.equal((await call(path)).status, 404, path);
});

test('/.svc/login begins a login for an address of this host, whether or not somebody is logged in (5.1)', async (t) => {
  const { gate, share, call } = await rig(t);
  const { cookie, session } = gate.login(share);
  for (const headers of [{}, { cookie }] as const) {
    const answer = await call(`/.svc/login?return_to=${encodeURIComponent('/app/page?a=b&c=%2F')}`, {
      ...headers,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    });
    assert.equal(answer.status, 302);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const location = new URL(answer.headers.location ?? '');
    assert.equal(location.origin + location.pathname, 'https://auth.share.localhost/corp/login');
    const request = openLoginRequest(gate.seal, location.searchParams.get('request') ?? '')!;
    assert.equal(request.returnUrl, `${ORIGIN}/app/page?a=b&c=%2F`);
    assert.equal(request.selectAccount, false);
    if ('cookie' in headers) assert.equal(request.bindingHash, session.bindingHash, 'in this browser');
  }
});

test('/.svc/login leads nowhere but to this host, and to none of the service’s own addresses (THREATS "Open redirect")', async (t) => {
  const { gate, call } = await rig(t);
  for (const wanted of [
    undefined,
    '',
    'x',
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/.svc/logout',
    '/x/../.svc/logout',
    '/%2esvc/logout',
    'https://demo.share.localhost.evil.example/',
    '@evil.example/',
  ]) {
    const query = wanted === undefined ? '' : `?return_to=${encodeURIComponent(wanted)}`;
    const answer = await call(`/.svc/login${query}`);
    const sealed = new URL(answer.headers.location ?? '').searchParams.get('request') ?? '';
    assert.equal(openLoginRequest(gate.seal, sealed)?.returnUrl, `${ORIGIN}/`, String(wanted));
  }
  const twice = await call('/.svc/login?return_to=/a&return_to=/b');
  const sealed = new URL(twice.headers.location ?? '').searchParams.get('request') ?? '';
  assert.equal(openLoginRequest(gate.seal, sealed)?.returnUrl, `${ORIGIN}/`);
});

test('/.svc/login is for this share’s own pages and the person: no other site, no call, nothing ahead (THREATS "Sibling shares")', async (t) => {
  const { call } = await rig(t);
  const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  for (const site of ['same-site', 'cross-site'])
    assert.equal((await call('/.svc/login', { ...navigation, 'sec-fetch-site': site })).status, 403, site);
  for (const site of ['same-origin', 'none'])
    assert.equal((await call('/.svc/login', { ...navigation, 'sec-fetch-site': site })).status, 302, site);
  const fetched = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
  assert.equal((await call('/.svc/login', fetched)).status, 403);
  assert.equal((await call('/.svc/login', { 'sec-purpose': 'prefetch' })).status, 403);
  assert.equal((await call('/.svc/login', {}, 'POST')).status, 405);
  assert.equal((await call('/.svc/login', {}, 'GET', 'open.share.localhost')).status, 404);
  assert.equal(
    (await call(`/.svc/login?return_to=${encodeURIComponent(`/x?${'a'.repeat(18_000)}`)}`)).status,
    414,
  );
});
