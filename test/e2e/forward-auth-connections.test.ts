// docs/how-to/forward-auth.md: the proxies keep the connections on which they ask, with the files of
// examples/forward-auth/. What opening one costs is more than the answer.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { REAL_PROXIES, programOf, startAskingProxy } from '../support/asking-proxy.ts';
import { createBrowser } from '../support/browser-by-hand.ts';
import { createTestAuthority } from '../support/certificates.ts';
import { startEchoBackend } from '../support/echo-backend.ts';
import { PAGE_LOAD, PROXY_SECRET } from '../support/forward-auth.ts';
import { freePort } from '../support/free-port.ts';

const REQUESTS = 10;

for (const proxy of REAL_PROXIES)
  test(
    `${proxy} asks over connections that it keeps`,
    { skip: programOf(proxy) === null ? `${proxy} is not installed` : false },
    async (t) => {
      let connections = 0;
      let questions = 0;
      const endpoint = createServer((_request, response) => {
        questions++;
        response.writeHead(200, { 'content-length': '0' }).end();
      });
      endpoint.on('connection', () => connections++);
      endpoint.listen(0, '127.0.0.1');
      await once(endpoint, 'listening');
      t.after(() => endpoint.close());
      t.after(() => endpoint.closeAllConnections());
      const authority = createTestAuthority();
      t.after(authority.dispose);
      const backend = await startEchoBackend();
      t.after(backend.close);
      const port = await freePort();
      const stop = await startAskingProxy(proxy, {
        port,
        gateway: (endpoint.address() as AddressInfo).port,
        app: backend.port,
        secret: PROXY_SECRET,
        pair: authority.issue(['*.share.localhost']),
      });
      t.after(stop);
      const browser = createBrowser({ ca: authority.ca });
      for (let at = 0; at < REQUESTS; at++) {
        const answer = await browser.request(`https://app.share.localhost:${port}/${at}`, {
          headers: PAGE_LOAD,
        });
        assert.equal(answer.status, 200, answer.body);
      }
      assert.equal(questions, REQUESTS);
      assert.ok(connections < REQUESTS / 2, `${connections} connections for ${REQUESTS} questions`);
    },
  );
