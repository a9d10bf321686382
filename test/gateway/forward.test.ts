// Forwarding over HTTP/1.1, against a real backend (contract 2.6, 3; DESIGN 3).

import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startTestGate, testLogin, testShare } from '../support/gate.ts';

test('startGate() forwards a known session with its identity headers (2.6, 3)', async (t) => {
  const backend = await startBackend(t, (request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ url: request.url, raw: request.rawHeaders }));
  });
  const share = testShare('demo', backend.url, { login: testLogin() });
  const gate = await startTestGate({ shares: [share] });
  t.after(gate.close);
  const { cookie } = gate.login(share);
  const answer = await gate.call({ host: 'demo.share.localhost', path: '/a?b=c', headers: { cookie } });
  assert.equal(answer.status, 200);
});

async function startBackend(t: { after: (f: () => void) => void }, listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
