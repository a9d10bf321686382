// OpenID Connect Back-Channel Logout 1.0, with the certified provider: whoever logs out there is logged out
// here.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import type { ShareObject } from '../../src/wire/share.ts';
import { type Browser, walkLogin } from '../support/browser-by-hand.ts';
import { logOutAt } from '../support/providers/log-out-at.ts';
import { eventually } from '../support/serve-process.ts';
import { corpClient, startTestService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

function register(backchannelLogoutSessionRequired: boolean): void {
  service.idp.addClient({
    ...corpClient(service.endpointUrl),
    backchannelLogoutUri: `http://127.0.0.1:${service.ports.oauth}/corp/backchannel-logout`,
    backchannelLogoutSessionRequired,
  });
}

async function enter(share: ShareObject, email: string): Promise<Browser> {
  const browser = service.browser();
  const walk = await walkLogin(browser, share.url, { email });
  assert.equal(walk.last.status, 200, walk.last.body.slice(0, 300));
  return browser;
}

async function isIn(browser: Browser, share: ShareObject): Promise<boolean> {
  return (await browser.open(share.url)).status === 200;
}

for (const withSid of [false, true]) {
  const name = withSid ? 'its session there (sid)' : 'everywhere (sub)';
  test(`a logout at the provider ends what the person has: ${name}, streams included`, async () => {
    register(withSid);
    const share = await service.share(withSid ? 'by-sid' : 'by-sub');
    const meant = await enter(share, 'ada@example.com');
    const otherBrowser = await enter(share, 'ada@example.com');
    const otherPerson = await enter(share, 'bob@example.com');
    const url = new URL(share.url);
    const socket = new WebSocket(`ws://127.0.0.1:${url.port}/socket`, {
      headers: { host: url.host, origin: share.url, cookie: meant.jar.header(url) ?? '' },
    });
    const closed = once(socket, 'close');
    await once(socket, 'open');
    await logOutAt(meant, `${service.idp.issuer}/session/end`);
    await closed;
    await eventually('the session is over', async () => !(await isIn(meant, share)));
    assert.equal(await isIn(otherBrowser, share), withSid);
    assert.equal(await isIn(otherPerson, share), true);
    const events = await eventually('it is written down', async () => {
      const page = await service.client.auditEvents.list({ kind: ['session.ended'], share: share.name });
      return page.items.length > 0 && page.items;
    });
    assert.ok(
      events.every(({ email, reason }) => email === 'ada@example.com' && reason === 'backchannel_logout'),
    );
  });
}

test('a logout token is taken through the gateway too, and refused in words of RFC 6749 section 5.2', async () => {
  const answer = await new Promise<{ status: number; type: string; kept: string; body: string }>(
    (resolve, reject) => {
      const call = request({
        port: service.ports.gateway,
        host: '127.0.0.1',
        method: 'POST',
        path: '/corp/backchannel-logout',
        headers: {
          host: new URL(service.endpointUrl).host,
          'content-type': 'application/x-www-form-urlencoded',
        },
      });
      call.on('error', reject);
      call.on('response', async (response) => {
        const { statusCode: status = 0, headers } = response;
        let body = '';
        for await (const chunk of response.setEncoding('utf8')) body += String(chunk);
        resolve({
          status,
          type: headers['content-type'] ?? '',
          kept: headers['cache-control'] ?? '',
          body,
        });
      });
      call.end('logout_token=nothing');
    },
  );
  assert.deepEqual([answer.status, answer.type, answer.kept], [400, 'application/json', 'no-store']);
  assert.equal((JSON.parse(answer.body) as { error: string }).error, 'invalid_request');
});
