import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createLoginRig, type LoginRig } from '../../test/support/login-rig.ts';
import { listen } from '../http/listener.ts';
import { createLoginListener } from './listener.ts';
import type { LoginHttpRequest } from './login-deps.ts';

test('createLoginListener() answers Node requests, Set-Cookie for Set-Cookie (2.2)', async () => {
  await using rig = await createLoginRig();
  await using door = await frontDoor(rig);
  const { origin } = door;
  const url = new URL(rig.startUrl(await rig.addShare()));
  const answer = await fetch(origin + url.pathname + url.search, { redirect: 'manual' });
  assert.equal(answer.status, 302);
  assert.equal(answer.headers.getSetCookie().length, 2);
  const missing = await fetch(`${origin}/corp/auth/callback?state=x`, { headers: { accept: 'text/html' } });
  assert.equal(missing.status, 400);
  assert.match(await missing.text(), /req-7/);
  assert.equal(door.asked.at(-1)!.ip, '192.0.2.9');
  assert.equal(door.asked.at(-1)!.rawQuery, 'state=x');
  const head = await fetch(`${origin}/.well-known/jwks.json`, { method: 'HEAD' });
  assert.deepEqual([head.status, await head.text()], [200, '']);
});

test('createLoginListener() takes six attempts, a full session cookie and a long code (3 Attempts)', async () => {
  await using rig = await createLoginRig();
  await using door = await frontDoor(rig);
  const { origin } = door;
  const cookie = Array.from({ length: 6 }, (_, at) => `__Host-svc-auth-attempt-${at}=${'x'.repeat(1800)}`);
  const answer = await fetch(`${origin}/corp/auth/callback?state=x&code=${'c'.repeat(4000)}`, {
    headers: { cookie: [...cookie, `svc-auth-session=${'y'.repeat(3800)}`].join('; ') },
  });
  assert.equal(answer.status, 400);
});

async function frontDoor(rig: LoginRig) {
  const asked: LoginHttpRequest[] = [];
  const listener = createLoginListener({
    login: (request) => {
      asked.push(request);
      return rig.login(request);
    },
    clientIp: () => '192.0.2.9',
    requestId: () => 'req-7',
  });
  const opened = await listen({
    name: 'oauth',
    at: { host: '127.0.0.1', port: 0 },
    certificates: null,
    handle: (request, response) => void listener(request, response),
  });
  return {
    asked,
    origin: `http://127.0.0.1:${opened.port}`,
    [Symbol.asyncDispose]: () => opened.close(0),
  };
}
