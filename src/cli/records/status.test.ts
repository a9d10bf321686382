// GET /v1/status and `doorward status`: the process that answers, and the caller's account alone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startControl, type TestAccount, type TestControl } from '../../../test/support/control.ts';
import { main } from '../main.ts';
import { createNodeClient } from '../../client/node-client.ts';
import { parseApiKey } from '../../domain/api-key.ts';
import { newId } from '../../domain/id.ts';
import { Secret } from '../../domain/secret.ts';
import { addSession } from '../../store/suite/bench.test-support.ts';

let control: TestControl;
const GATEWAY = {
  id: newId('gtw'),
  tunnelUrl: 'https://tunnel.share.example.com',
  workers: 2,
  version: '0.0.0',
  startedAt: 0,
};
before(async () => {
  control = await startControl();
  const { store, alice } = control;
  await store.gateways.beat(GATEWAY, 60_000);
  for (const [name, enabled] of [
    ['one', true],
    ['two', false],
  ] as const) {
    const made = await control.call({
      path: '/v1/shares',
      json: { name, target: 'http://127.0.0.1:3000', open: true },
    });
    assert.equal(made.status, 201);
    if (!enabled)
      await control.call({ method: 'PATCH', path: `/v1/shares/${name}`, json: { enabled: false } });
    const id = made.document['id'] as never;
    await addSession(store, { share: { id, accountId: alice.id }, at: Date.now() });
  }
});
after(() => control[Symbol.asyncDispose]());

test('GET /v1/status counts what the caller’s account has, and nobody else’s (DESIGN 2.5)', async () => {
  const of = async (as: TestAccount) => (await control.call({ path: '/v1/status', as })).document;
  const process = {
    version: '0.0.0',
    startedAt: '1970-01-01T00:00:00.000Z',
    workers: { running: 1, configured: 2 },
  };
  assert.deepEqual(await of(control.alice), {
    ...process,
    shares: { total: 2, enabled: 1 },
    sessions: { active: 2 },
  });
  assert.deepEqual(await of(control.mallory), {
    ...process,
    shares: { total: 0, enabled: 0 },
    sessions: { active: 0 },
  });
});

test('doorward status tells it to people, and to programs as it is (DESIGN 2.4)', async () => {
  const told = await status();
  assert.equal(told.code, 0, told.err);
  assert.match(told.out, /^version +0\.0\.0$/m);
  assert.match(told.out, /^running since +1970-01-01 00:00Z \(\d+d/m);
  assert.match(told.out, /^gateway +1 of 2 workers$/m);
  assert.match(told.out, /^agent address +https:\/\/tunnel\.share\.example\.com \(2 workers\)$/m);
  assert.match(told.out, /^shares +2 \(1 enabled\)$/m);
  assert.match(told.out, /^sessions +2 active$/m);
  const { document } = await control.call({ path: '/v1/status' });
  assert.deepEqual(JSON.parse((await status('--json')).out), {
    ...document,
    gateways: [{ ...GATEWAY, startedAt: '1970-01-01T00:00:00.000Z' }],
  });
});

test('GET /v1/gateways tells every key where agents connect, one for tunnels alone too (DESIGN "Tunnel")', async () => {
  const made = await control.call({ path: '/v1/api-keys', json: { name: 'agent', scope: 'tunnel' } });
  const apiKey = parseApiKey(String(made.document['key']));
  assert.ok(apiKey);
  for (const key of [apiKey, control.mallory.apiKey]) {
    const items = await createNodeClient({ url: control.url, apiKey: key }).gateways();
    assert.deepEqual(items, [{ ...GATEWAY, startedAt: '1970-01-01T00:00:00.000Z' }]);
  }
});

async function status(...words: readonly string[]) {
  let out = '';
  let err = '';
  const code = await main(['status', '--url', control.url.origin, ...words], {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    env: { HOME: '/nonexistent', DOORWARD_API_KEY: control.alice.apiKey.reveal() },
    readSecret: async () => new Secret(''),
  });
  return { code, out, err };
}
