// The service's own hosts on the gateway's address (DESIGN 2.1): passed to a Unix socket, stripped like any
// request.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestGate, testShare } from '../support/gate.ts';
import { echoedValues } from '../support/backend.ts';

test('requests for the service’s own hosts go inside with their cookies, and come back with theirs (DESIGN 2.1)', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'inside-'));
  const socketPath = join(folder, 'front.sock');
  const front = createServer((request, response) => {
    response.setHeader('set-cookie', ['svc-auth-session=new; Domain=share.localhost', 'x=y']);
    response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.rawHeaders }));
  });
  await new Promise<void>((resolve) => front.listen(socketPath, resolve));
  // A share of the same host must not take it over.
  const thief = testShare('auth', 'http://127.0.0.1:1', { hosts: ['auth.share.localhost'] });
  const gate = await startTestGate({
    shares: [thief],
    settings: { inside: [{ host: 'auth.share.localhost', socketPath }], outageGraceMs: -1 },
  });
  t.after(async () => {
    await gate.close();
    front.closeAllConnections();
    front.close();
    rmSync(folder, { recursive: true });
  });
  const { status, headers, body } = await gate.call({
    host: 'Auth.Share.localhost:8443',
    path: '/corp/auth/callback?code=x',
    headers: {
      cookie: 'svc-auth-session=old; __Host-svc-auth-browser=b',
      'x-forwarded-for': '203.0.113.9',
      'svc-auth-email': 'root@example.com',
    },
  });
  assert.equal(status, 200);
  assert.deepEqual(headers['set-cookie'], ['svc-auth-session=new; Domain=share.localhost', 'x=y']);
  assert.deepEqual(echoedValues(body, 'cookie'), ['svc-auth-session=old; __Host-svc-auth-browser=b']);
  assert.deepEqual(echoedValues(body, 'x-forwarded-for'), ['127.0.0.1']);
  assert.deepEqual(echoedValues(body, 'svc-auth-email'), []);
  assert.deepEqual(echoedValues(body, 'host'), ['Auth.Share.localhost:8443']);
});
