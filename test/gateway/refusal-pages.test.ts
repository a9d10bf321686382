// The pages by which the gate refuses: they name the app and the address that was asked for, tell whom to
// ask, and load themselves again while an app is down. They tell a stranger nothing that the address does
// not.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { echo, startBackend } from '../support/backend.ts';
import { startTestGate, type TestGate, testLogin, testShare } from '../support/gate.ts';

const HOST = 'demo.share.localhost';
const NAVIGATION = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

async function downGate(t: TestContext): Promise<TestGate> {
  const backend = await startBackend(t, echo);
  backend.server.close();
  const gate = await startTestGate({ shares: [testShare('demo', backend.url)] });
  t.after(gate.close);
  return gate;
}

test('the page of an app that is down tries again by itself, for a GET that a person opened', async (t) => {
  const gate = await downGate(t);
  const page = await gate.call({ host: HOST, path: '/report?key=s3cret', headers: NAVIGATION });
  assert.equal(page.status, 502);
  assert.equal(page.headers['refresh'], '5');
  assert.match(page.body, /This page tries again by itself in 5 seconds/);
  assert.match(page.body, /<dt>Application<\/dt><dd><bdi>demo<\/bdi>/);
  assert.match(page.body, /<dt>Address<\/dt><dd><bdi>demo\.share\.localhost[:\d]*\/report<\/bdi>/);
  assert.doesNotMatch(page.body, /s3cret/);
});

test('nothing but a GET that a person opened is tried again by itself', async (t) => {
  const gate = await downGate(t);
  const calls = [
    { method: 'POST', headers: NAVIGATION },
    { method: 'HEAD', headers: NAVIGATION },
    { headers: { ...NAVIGATION, 'sec-fetch-dest': 'iframe' } },
    { headers: { ...NAVIGATION, 'sec-purpose': 'prefetch;prerender' } },
    { headers: { accept: 'text/html', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' } },
    { headers: { accept: 'application/json' } },
  ];
  for (const each of calls) {
    const answer = await gate.call({ host: HOST, ...each });
    assert.equal(answer.status, 502, JSON.stringify(each));
    assert.equal(answer.headers['refresh'], undefined, JSON.stringify(each));
    assert.doesNotMatch(answer.body, /by itself/, JSON.stringify(each));
  }
});

test('a page of a refusal is not tried again by itself: nothing mends it', async (t) => {
  const backend = await startBackend(t, echo);
  const share = testShare('demo', backend.url, { login: testLogin({ emailPatterns: ['*@example.com'] }) });
  const gate = await startTestGate({ shares: [share] });
  t.after(gate.close);
  const { cookie } = gate.login(share, { email: 'eve@elsewhere.test' });
  const refused = await gate.call({ host: HOST, path: '/pay', headers: { ...NAVIGATION, cookie } });
  assert.equal(refused.status, 403);
  assert.equal(refused.headers['refresh'], undefined);
  assert.match(refused.body, /<dt>Address<\/dt><dd><bdi>demo\.share\.localhost[:\d]*\/pay<\/bdi>/);
});

test('a disabled share and none have one page; a custom host does not tell the name (THREATS "Tenancy")', async (t) => {
  const backend = await startBackend(t, echo);
  const disabled = testShare('demo', backend.url, { enabled: false });
  const custom = testShare('payroll-2027', backend.url, {
    hosts: ['payroll-2027.share.localhost', 'pay.localhost'],
  });
  const gate = await startTestGate({ shares: [disabled, custom] });
  t.after(gate.close);
  const pageAt = async (host: string) => {
    const { status, body, headers } = await gate.call({ host, headers: NAVIGATION });
    assert.equal(headers['refresh'], undefined);
    const text = body.replaceAll(host, 'HOST').replace(/Request id <code>[^<]*<\/code>/, '');
    return { status, text };
  };
  assert.deepEqual(await pageAt(HOST), await pageAt('none.share.localhost'));
  assert.equal((await pageAt(HOST)).status, 404);
  backend.server.close();
  backend.server.closeAllConnections();
  const down = await gate.call({ host: 'pay.localhost', headers: NAVIGATION });
  assert.equal(down.status, 502);
  assert.doesNotMatch(down.body, /payroll/);
  assert.match(down.body, /<bdi>pay\.localhost/);
});
