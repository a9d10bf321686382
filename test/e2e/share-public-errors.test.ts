// What `doorward share public` says when the share cannot be, each time with what to do; and what it only
// warns of.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { createNodeClient } from '../../src/client/node-client.ts';
import { newApiKey } from '../../src/domain/api-key.ts';
import { createBrowser } from '../support/browser-by-hand.ts';
import { listenPort } from '../support/listen-port.ts';
import { addAccount, startTestService, type TestService } from '../support/service.ts';
import { sharePublic } from '../support/share-process.ts';

let service: TestService;
/** With TLS from an authority that this machine does not know. */
let secure: TestService;
before(async () => {
  [service, secure] = await Promise.all([startTestService(), startTestService({ tls: true })]);
});
after(() => Promise.all([service.close(), secure.close()]));

const LIMIT = { timeout: 120_000 };

type Case = {
  readonly words: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly code: number;
  readonly says: RegExp;
};

async function fails(t: TestContext, { words, env, code, says }: Case): Promise<void> {
  const failed = sharePublic(t, service, { words: words.split(' '), ...(env === undefined ? {} : { env }) });
  const { code: found, err } = await failed.ended;
  assert.match(err, says);
  assert.deepEqual([found, failed.lines], [code, []]);
}

test('wrong usage is told before anything is made (exit 2, DESIGN 2.4)', LIMIT, async (t) => {
  for (const [words, says] of [
    ['http://localhost:3000/app', /^error: Cannot share http:.*\nhint: Name a port \(3000\)/],
    ['3000 --insecure', /only https:\/\/ has a certificate/],
    ['3000 --qr --json', /Cannot use --qr with --json/],
    ['3000 --oauth-email-address-pattern *@a.test', /needs --oauth-provider.*\nhint: Name the provider/],
  ] as const)
    await fails(t, { words, code: 2, says });
});

test('without a login, a certificate or --open nothing is shared (exit 2)', LIMIT, async (t) => {
  const bare = sharePublic(t, service, { words: ['3000'], open: false });
  const { code, err } = await bare.ended;
  assert.equal(code, 2);
  assert.match(err, /^error: .*open to everyone\nhint: .*--oauth-provider NAME.*--open/);
  assert.deepEqual(
    (await service.client.shares.list()).items.filter(({ tunnel }) => tunnel === 'ephemeral'),
    [],
  );
});

test(
  'without an API key, or with one that will not do, it says how to come by one (exit 4)',
  LIMIT,
  async (t) => {
    const none = sharePublic(t, service, { words: ['3000'], apiKey: null });
    const { code, err } = await none.ended;
    assert.equal(code, 4);
    assert.match(err, /there is no API key for it\nhint: Run "doorward login --url http:/);
    await fails(t, {
      words: '3000',
      env: { DOORWARD_API_KEY: newApiKey().reveal() },
      code: 4,
      says: /^error: .*the API key is unknown\nhint: .*doorward login --url URL/,
    });
    const { key } = await service.client.apiKeys.create({ name: 'reader', scope: 'read' });
    await fails(t, {
      words: '3000',
      env: { DOORWARD_API_KEY: key },
      code: 4,
      says: /it can only read\nhint: Use a key with scope "tunnel" or "full"/,
    });
  },
);

test('an unknown provider is told with the names that exist, and a taken name as taken', LIMIT, async (t) => {
  await fails(t, {
    words: '3000 --oauth-provider gogle',
    code: 2,
    says: /there is no provider "gogle"; available: corp\n/,
  });
  await service.share('direct');
  await fails(t, {
    words: '3000 --name direct',
    code: 1,
    says: /the gateway reaches its target itself\nhint: Choose another --name/,
  });
  await othersShare('theirs');
  await fails(t, {
    words: '3000 --name theirs',
    code: 1,
    says: /another account has that name\nhint: Choose another with --name/,
  });
  await fails(t, { words: '3000 --name login', code: 2, says: /that name is reserved\nhint: Choose/ });
  await service.client.shares.create({ name: 'off', tunnel: 'reserved', enabled: false, open: true });
  await fails(t, { words: '3000 --name off', code: 1, says: /disabled\nhint: .*modify off --enabled/ });
});

test('a service that is not there, or is something else, is told so (exit 1)', LIMIT, async (t) => {
  const closed = await listenPort();
  await fails(t, {
    words: `3000 --url http://127.0.0.1:${closed}`,
    code: 1,
    says: /nothing listens there\nhint: Is "doorward serve" running/,
  });
  await fails(t, {
    words: `3000 --url http://127.0.0.1:${service.ports.gateway}`,
    code: 1,
    says: /that is the address of the gateway.*\nhint: Give the address of control.public_url/,
  });
  const other = createServer((_request, response) => response.end('hello'));
  t.after(() => other.close());
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  await fails(t, {
    words: `3000 --url http://127.0.0.1:${(other.address() as AddressInfo).port}`,
    code: 1,
    says: /is not the control API\nhint: Check the URL/,
  });
});

test(
  'a gateway whose certificate is not trusted is told with the remedy, which works (exit 1)',
  LIMIT,
  async (t) => {
    const words = [String(secure.backend.port), '--quiet'];
    const untrusting = sharePublic(t, secure, { words });
    const { code, err } = await untrusting.ended;
    assert.match(err, /the gateway at https:.*certificate is not trusted.*\nhint: .*NODE_EXTRA_CA_CERTS=/);
    assert.deepEqual([code, untrusting.lines], [1, []]);
    assert.deepEqual((await secure.client.shares.list()).items, []);
    const env = { NODE_EXTRA_CA_CERTS: await caFile(secure) };
    const trusting = sharePublic(t, secure, { words, env });
    const url = await trusting.line(/^https:/);
    assert.equal((await secure.browser().request(url)).status, 200);
  },
);

test(
  'a backend that does not listen is warned of, and served once it does (The person’s view)',
  LIMIT,
  async (t) => {
    const port = await listenPort();
    const running = sharePublic(t, service, { words: [`http://127.0.0.1:${port}`] });
    const url = await running.line(/^http:/);
    const browser = createBrowser();
    assert.equal((await browser.request(`${url}/early`)).status, 502);
    await running.line(/ \/early +502 .* nothing answers here$/);
    const backend = createServer((_request, response) => response.end('late'));
    t.after(() => {
      backend.close();
      backend.closeAllConnections();
    });
    backend.listen(port, '127.0.0.1');
    await once(backend, 'listening');
    assert.equal((await browser.request(url)).body, 'late');
    running.signal('SIGINT');
    const { code, err } = await running.ended;
    assert.equal(code, 0);
    assert.match(err, new RegExp(`^warning: nothing listens at http://127\\.0\\.0\\.1:${port} yet`));
  },
);

test(
  'a Unix socket and an https:// target with --insecure are shared, too (Kinds of share)',
  LIMIT,
  async (t) => {
    const socket = join(service.folder, 'app.sock');
    const backend = createServer((request, response) => response.end(`by socket: ${request.url}`));
    t.after(() => {
      backend.close();
      backend.closeAllConnections();
    });
    backend.listen(socket);
    await once(backend, 'listening');
    const bySocket = sharePublic(t, service, { words: [`unix:${socket}`] });
    const url = await bySocket.line(/^http:/);
    assert.equal((await createBrowser().request(`${url}/a`)).body, 'by socket: /a');
    assert.ok(secure.authority);
    const { certificate: cert, key } = secure.authority.issue(['localhost']);
    const tls = createTlsServer({ cert, key }, (_request, response) => response.end('by TLS'));
    t.after(() => {
      tls.close();
      tls.closeAllConnections();
    });
    tls.listen(0, '127.0.0.1');
    await once(tls, 'listening');
    const target = `https://localhost:${(tls.address() as AddressInfo).port}`;
    const insecure = sharePublic(t, service, { words: [target, '--insecure'] });
    const checking = sharePublic(t, service, { words: [target] });
    assert.equal((await createBrowser().request(await insecure.line(/^http:/))).body, 'by TLS');
    assert.equal((await createBrowser().request(await checking.line(/^http:/))).status, 502);
  },
);

async function othersShare(name: string): Promise<void> {
  const apiKey = await addAccount(service.config, 'other', 'o@other.test');
  const url = new URL(`http://127.0.0.1:${service.ports.control}`);
  await createNodeClient({ url, apiKey }).shares.create({ name, tunnel: 'reserved', open: true });
}

async function caFile({ folder, ca }: TestService): Promise<string> {
  const file = join(folder, 'ca.pem');
  await writeFile(file, ca ?? '');
  return file;
}
