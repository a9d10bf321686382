import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { createLoginRig, type LoginRig } from '../../test/support/login-rig.ts';
import { createLoginListener, LOGIN_MAX_HEADER_BYTES } from './listener.ts';

test('createLoginListener() answers Node requests, Set-Cookie for Set-Cookie (2.2)', async () => {
  await using rig = await createLoginRig();
  const { origin, server } = await listen(rig);
  try {
    const url = new URL(rig.startUrl(await rig.addShare()));
    const answer = await fetch(origin + url.pathname + url.search, { redirect: 'manual' });
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.getSetCookie().length, 2);
    const missing = await fetch(`${origin}/corp/auth/callback?state=x`, { headers: { accept: 'text/html' } });
    assert.equal(missing.status, 400);
    assert.match(await missing.text(), /req-7/);
    assert.equal(rig.events.at(-1)!.ip, '192.0.2.9');
    const head = await fetch(`${origin}/.well-known/jwks.json`, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
  } finally {
    server.close();
  }
});

test('createLoginListener() takes six attempts, a full session cookie and a long code (3 Attempts)', async () => {
  await using rig = await createLoginRig();
  const { origin, server } = await listen(rig);
  try {
    const cookie = Array.from({ length: 6 }, (_, at) => `__Host-svc-auth-attempt-${at}=${'x'.repeat(1800)}`);
    const answer = await fetch(`${origin}/corp/auth/callback?state=x&code=${'c'.repeat(4000)}`, {
      headers: { cookie: [...cookie, `svc-auth-session=${'y'.repeat(3800)}`].join('; ') },
    });
    assert.equal(answer.status, 400);
  } finally {
    server.close();
  }
});

async function listen(rig: LoginRig): Promise<{ readonly origin: string; readonly server: Server }> {
  const listener = createLoginListener({
    login: rig.login,
    clientIp: () => '192.0.2.9',
    requestId: () => 'req-7',
  });
  const server = createServer({ maxHeaderSize: LOGIN_MAX_HEADER_BYTES }, (request, response) => {
    void listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
