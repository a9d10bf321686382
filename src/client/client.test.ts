// The client against servers that are not what it hopes for.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { newApiKey } from '../domain/api-key.ts';
import { Secret } from '../domain/secret.ts';
import type { ServiceError } from '../domain/service-error.ts';
import { startControl } from '../../test/support/control.ts';
import { createNodeClient } from './node-client.ts';

async function withServer(handle: RequestListener, work: (url: URL) => Promise<void>): Promise<void> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await work(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const code = (wanted: string) => (error: ServiceError) => error.code === wanted;

test('createNodeClient() makes, lists, shows, changes and removes shares (DESIGN 2.5)', async () => {
  await using control = await startControl();
  const { shares } = createNodeClient({ url: control.url, apiKey: control.alice.apiKey });
  for (const name of ['a', 'b', 'c'])
    await shares.create({ name, target: 'http://127.0.0.1:3000', open: true });
  const page = await shares.list({ limit: 2 });
  assert.deepEqual(
    page.items.map((share) => share.name),
    ['a', 'b'],
  );
  const rest = await shares.list({ cursor: page.nextCursor });
  assert.deepEqual(
    rest.items.map((share) => share.name),
    ['c'],
  );
  assert.equal((await shares.modify('a', { enabled: false })).enabled, false);
  assert.equal((await shares.show('a')).enabled, false);
  await shares.remove('a');
  for (const named of ['a', '..', '', '../audit-events', '%2e%2e'])
    await assert.rejects(shares.show(named), code('share_unknown'), named);
});

test('createNodeClient() throws the API’s code with its hint and its faults (DESIGN 2.5)', async () => {
  await using control = await startControl();
  const { shares } = createNodeClient({ url: control.url, apiKey: control.alice.apiKey });
  await assert.rejects(
    shares.create({ name: 'a', target: 'http://10.0.0.1', open: true }),
    (error: ServiceError) => error.code === 'target_refused' && /direct_targets/.test(error.hint ?? ''),
  );
  await assert.rejects(
    shares.create({ name: 'a', target: 'http://127.0.0.1:1', oauthProvider: 'x' }),
    (error: ServiceError) => Array.isArray(error.extra['faults']),
  );
  const stranger = createNodeClient({ url: control.url, apiKey: newApiKey() });
  await assert.rejects(stranger.shares.list(), code('api_key_invalid'));
});

test('createNodeClient() calls names under .localhost on this machine (RFC 6761 section 6.3)', async () => {
  await using control = await startControl();
  const url = new URL(`http://control.share.localhost:${control.url.port}`);
  const { items } = await createNodeClient({ url, apiKey: control.alice.apiKey }).shares.list();
  assert.deepEqual(items, []);
});

test('createNodeClient() says JSON of each change, of one without a body, too: browsers’ sessions take no other (DESIGN 2.5)', async () => {
  const types: (string | undefined)[] = [];
  const answer: RequestListener = ({ headers }, response) => {
    types.push(headers['content-type']);
    response.writeHead(204).end();
  };
  await withServer(answer, async (url) => {
    const { shares } = createNodeClient({ url, apiKey: null });
    await shares.remove('a');
    await shares.modify('a', { enabled: false });
  });
  assert.deepEqual(types, ['application/json', 'application/json']);
});

test('createNodeClient() takes nothing but the control API for it (DESIGN 2.5)', async () => {
  const answers: readonly RequestListener[] = [
    (_request, response) => response.end('<h1>hello</h1>'),
    (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
    (_request, response) =>
      response.writeHead(500, { 'content-type': 'application/json' }).end('{"code":"x"}'),
    (_request, response) => response.writeHead(404, { 'content-type': 'application/json' }).end('[]'),
    (request) => request.socket.destroy(),
    (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(5 * 1024 * 1024)}"`),
  ];
  for (const answer of answers)
    await withServer(answer, async (url) => {
      const { shares } = createNodeClient({ url, apiKey: newApiKey() });
      await assert.rejects(shares.list(), code('control_unreachable'));
    });
});

test('createNodeClient() follows no redirect, so the key goes nowhere else (THREATS "Outbound")', async () => {
  let asked = 0;
  await withServer(
    () => {
      asked += 1;
    },
    (elsewhere) =>
      withServer(
        (_request, response) => response.writeHead(307, { location: elsewhere.href }).end(),
        async (url) => {
          const { shares } = createNodeClient({ url, apiKey: new Secret('dw_x') });
          await assert.rejects(shares.list(), code('control_unreachable'));
        },
      ),
  );
  assert.equal(asked, 0);
});

test('read() tells the version, modify() and remove() are made onto it alone (DESIGN 2.5)', async () => {
  await using control = await startControl();
  const { shares } = createNodeClient({ url: control.url, apiKey: control.alice.apiKey });
  const made = await shares.create({ name: 'a', target: 'http://127.0.0.1:3000', open: true });
  const seen = await shares.read('a');
  assert.deepEqual(seen.value, { ...made, ownerIsMember: true });
  await shares.modify('a', { enabled: false }, { ifMatch: seen.etag });
  for (const late of [
    shares.modify('a', { enabled: true }, { ifMatch: seen.etag }),
    shares.remove('a', { ifMatch: seen.etag }),
  ])
    await assert.rejects(late, code('precondition_failed'));
  const now = await shares.read('a');
  assert.equal(now.value.enabled, false);
  await shares.remove('a', { ifMatch: now.etag });
  await assert.rejects(shares.read('a'), code('share_unknown'));
});

test('read() takes a tag that a compressing proxy weakened, and does without no tag (RFC 9110 8.8.3)', async () => {
  await withServer(answerWith({ etag: 'W/"shr_1.2"' }), async (url) => {
    const { etag } = await createNodeClient({ url, apiKey: null }).shares.read('a');
    assert.equal(etag, '"shr_1.2"');
  });
  await withServer(answerWith({}), async (url) => {
    const { shares } = createNodeClient({ url, apiKey: null });
    await assert.rejects(shares.read('a'), code('control_unreachable'));
  });
});

function answerWith(headers: Record<string, string>): RequestListener {
  return (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end('{}');
}

test('createNodeClient() gives a test of a share up when its signal is aborted', async () => {
  const asked = Promise.withResolvers<void>();
  await withServer(
    () => asked.resolve(),
    async (url) => {
      const given = new AbortController();
      const { shares } = createNodeClient({ url, apiKey: newApiKey() });
      const answer = shares.test('wiki', { email: 'ann@example.com' }, given.signal);
      await asked.promise;
      given.abort();
      await assert.rejects(answer, { name: 'AbortError' });
    },
  );
});
