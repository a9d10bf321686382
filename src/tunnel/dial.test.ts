// An agent's dialling, before a gateway answers.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { newApiKey } from '../domain/api-key.ts';
import { dialTunnel } from './dial.ts';

test('dialTunnel() sends no API key in the clear to a name that is not this machine, unless that is allowed (3)', async (t) => {
  const seen: (string | undefined)[] = [];
  const server = createServer().on('upgrade', ({ headers }, socket) => {
    seen.push(headers.authorization);
    socket.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  // It leads here, and is no loopback address.
  const gateway = new URL(`http://0.0.0.0:${(server.address() as AddressInfo).port}`);
  const apiKey = newApiKey();
  const dial = (allowPlainHttp: boolean) =>
    dialTunnel({
      wayTo: () => null,
      resumption: { session: null },
      gateway,
      share: 'demo',
      apiKey,
      clientCertificate: null,
      allowPlainHttp,
      agentId: 'a',
      held: [],
      signal: new AbortController().signal,
    });
  await assert.rejects(dial(false), { code: 'insecure_channel' });
  assert.deepEqual(seen, []);
  await assert.rejects(dial(true), { code: 'gateway_unreachable' });
  assert.deepEqual(seen, [`Bearer ${apiKey.reveal()}`]);
});
