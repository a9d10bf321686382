// What a backend gets as Host, and what follows the visitor's host whatever that is (DESIGN "Host of a
// backend").

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Share } from '../../src/domain/share.ts';
import { echo, echoedValues, startBackend } from '../support/backend.ts';
import { startTestGate, testLogin, testShare } from '../support/gate.ts';

const HOST = 'demo.share.localhost';

async function gateWith(t: TestContext, more: Partial<Share>, listener = echo) {
  const backend = await startBackend(t, listener);
  const share = testShare('demo', backend.url, more);
  const gate = await startTestGate({ shares: [share] });
  t.after(gate.close);
  return { backend, share, gate };
}

test('--host-header: the visitor’s host unless the share says another', async (t) => {
  const { gate } = await gateWith(t, {});
  const { body } = await gate.call({ host: `${HOST}:8443` });
  assert.deepEqual(echoedValues(body, 'host'), [`${HOST}:8443`]);
});

test('--host-header target: host and port of the target, and the visitor’s in X-Forwarded-Host alone', async (t) => {
  const { gate, backend } = await gateWith(t, { hostHeader: 'target' });
  const { body } = await gate.call({
    host: `${HOST}:8443`,
    headers: { origin: `http://${HOST}:8443`, referer: `http://${HOST}:8443/page` },
  });
  assert.deepEqual(echoedValues(body, 'host'), [new URL(backend.url).host]);
  assert.deepEqual(echoedValues(body, 'x-forwarded-host'), [`${HOST}:8443`]);
  assert.deepEqual(echoedValues(body, 'origin'), [`http://${HOST}:8443`]);
  assert.deepEqual(echoedValues(body, 'referer'), [`http://${HOST}:8443/page`]);
});

test('--host-header with a host: as it is written, changed with the share', async (t) => {
  const { gate, share } = await gateWith(t, { hostHeader: 'localhost:5173' });
  const hostSeen = async () => echoedValues((await gate.call({ host: HOST })).body, 'host');
  assert.deepEqual(await hostSeen(), ['localhost:5173']);
  gate.tell({ type: 'shares', upsert: [{ ...share, hostHeader: 'other.test' }], remove: [] });
  assert.deepEqual(await hostSeen(), ['other.test']);
  gate.tell({ type: 'shares', upsert: [{ ...share, hostHeader: null }], remove: [] });
  assert.deepEqual(await hostSeen(), [HOST]);
});

test('--host-header: Location and cookies of the answer stay as the backend wrote them', async (t) => {
  const { gate } = await gateWith(t, { hostHeader: 'target' }, (request, response) => {
    const to = `http://${request.headers.host ?? ''}/there`;
    response.writeHead(302, { location: to, 'set-cookie': 'a=b; Path=/x' }).end();
  });
  const { headers } = await gate.call({ host: HOST });
  assert.match(headers.location!, /^http:\/\/(?:127\.0\.0\.1|localhost):\d+\/there$/);
  assert.deepEqual(headers['set-cookie'], ['a=b; Path=/x']);
});

test('--host-header: no visitor says it, in any spelling', async (t) => {
  for (const hostHeader of [null, 'target'] as const) {
    const { gate, backend } = await gateWith(t, { hostHeader });
    const { body } = await gate.call({
      host: HOST,
      headers: { 'Doorward-Target-Host': '1', doorward_target_host: '1', 'doorward.target.host': '1' },
    });
    const wanted = hostHeader === null ? HOST : new URL(backend.url).host;
    assert.deepEqual(echoedValues(body, 'host'), [wanted]);
  }
});

test('--host-header naming another share: that share is not reached, and identity and cookies are of this one', async (t) => {
  const login = testLogin();
  const mine = await startBackend(t, withWideCookies);
  let reached = 0;
  const other = await startBackend(t, (_request, response) => {
    reached += 1;
    response.end();
  });
  const share = testShare('demo', mine.url, { login, hostHeader: 'other.share.localhost' });
  const gate = await startTestGate({ shares: [share, testShare('other', other.url, { login })] });
  t.after(gate.close);
  const { cookie } = gate.login(share);
  const { body, headers } = await gate.call({ host: HOST, headers: { cookie } });
  assert.deepEqual(echoedValues(body, 'host'), ['other.share.localhost']);
  const [assertion = ''] = echoedValues(body, 'svc-auth-assertion');
  const claims: unknown = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString());
  assert.equal((claims as { aud: string }).aud, `http://${HOST}`);
  assert.deepEqual(headers['set-cookie'], ['x=1', 'y=2']);
  assert.equal(reached, 0);
  assert.equal((await gate.call({ host: 'other.share.localhost', headers: { cookie } })).status, 302);
  assert.equal(reached, 0, 'nor by the session of this share');
});

const withWideCookies: typeof echo = (request, response) => {
  response.setHeader('set-cookie', ['x=1; Domain=other.share.localhost', 'y=2; Domain=share.localhost']);
  echo(request, response);
};
