// An agent's dialling, before a gateway answers.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { createTestAuthority } from '../../test/support/certificates.ts';
import { newApiKey } from '../domain/api-key.ts';
import { Secret } from '../domain/secret.ts';
import { dialLent, type DialInput, dialTunnel } from './dial.ts';
import { TICKET_HEADER, TICKETS_HEADER, TUNNEL_PROTOCOL } from './wire.ts';

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
      resumption: { session: null, context: null },
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

test('dialLent() goes on with the TLS session of the connection before, and begins anew where that is unknown (3 Tunnel)', async (t) => {
  const resumed: boolean[] = [];
  const { server, input } = await gatewayOf(t, createTestAuthority(), (socket) =>
    resumed.push(socket.isSessionReused()),
  );
  const dial = async () => {
    const raised = await dialLent(input, ['ticket']);
    raised?.socket.destroy();
    assert.equal(raised?.taken, 'ticket');
  };
  for (let time = 0; time < 3; time++) await dial();
  server.setTicketKeys(Buffer.alloc(48, 1));
  await dial();
  assert.deepEqual(resumed, [false, true, true, false]);
});

test('dialLent() reads the client certificate and its key once, and shows them on each connection (3 Tunnel)', async (t) => {
  const authority = createTestAuthority();
  const agent = authority.issue(['agent.test']);
  const shown: (string | undefined)[] = [];
  const { input } = await gatewayOf(t, authority, (socket) =>
    shown.push(socket.getPeerCertificate().subjectaltname),
  );
  const key = new Secret(agent.key);
  const reveal = t.mock.method(key, 'reveal');
  const asAgent = { ...input, clientCertificate: { certificate: agent.certificate, key } };
  for (let time = 0; time < 3; time++) (await dialLent(asAgent, ['ticket']))?.socket.destroy();
  assert.deepEqual(shown, ['DNS:agent.test', 'DNS:agent.test', 'DNS:agent.test']);
  assert.equal(reveal.mock.callCount(), 1);
});

/** Takes whatever connection is lent. */
async function gatewayOf(
  t: TestContext,
  authority: ReturnType<typeof createTestAuthority>,
  onLent: (socket: TLSSocket) => void,
) {
  t.after(() => authority.dispose());
  setDefaultCACertificates([...getCACertificates('default'), authority.ca]);
  const { certificate: cert, key } = authority.issue(['localhost']);
  const server = createSecureServer({ cert, key, requestCert: true, rejectUnauthorized: false });
  server.on('upgrade', ({ headers }, socket) => {
    onLent(socket as TLSSocket);
    const lines = [`Upgrade: ${TUNNEL_PROTOCOL}`, `${TICKET_HEADER}: ${String(headers[TICKETS_HEADER])}`];
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n${lines.join('\r\n')}\r\n\r\n`);
    socket.on('error', () => {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const input: DialInput = {
    gateway: new URL(`https://localhost:${(server.address() as AddressInfo).port}`),
    clientCertificate: null,
    wayTo: () => null,
    resumption: { session: null, context: null },
    signal: new AbortController().signal,
  };
  return { server, input };
}
