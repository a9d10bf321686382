// `doorward token`, against a control API with a real store.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { callDoorward } from '../../../test/support/doorward.ts';

let folder = '';
let control: TestControl;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doorward-tokens-'));
  control = await startControl();
  await control.call({
    path: '/v1/shares',
    json: { name: 'wiki', target: 'http://127.0.0.1:3000', open: true },
  });
});
after(async () => {
  await control[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function doorward(words: string) {
  const env = {
    HOME: folder,
    DOORWARD_URL: control.url.origin,
    DOORWARD_API_KEY: control.alice.apiKey.reveal(),
  };
  return callDoorward(words.split(' '), { env });
}

test('token create, list, show, delete: the token alone on its line, once (DESIGN 2.4)', async () => {
  const made = await doorward('token create deploy-bot --share wiki --expires 90d');
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /^dws_[A-Za-z0-9_-]{43}\n$/);
  assert.match(made.err, /shown only once/);
  const table = await doorward('token list');
  assert.match(table.out, /^NAME +STARTS WITH +SHARES +EXPIRES +LAST USED +CREATED +MADE BY +ID\n/);
  assert.match(
    table.out,
    /^deploy-bot +dws_[\w-]{6} +wiki +[\d-]+ [\d:]+Z +never +[\d-]+ [\d:]+Z +api-key:key_\w+ +tok_/m,
  );
  const shown = await doorward('token show deploy-bot');
  assert.match(shown.out, /^shares +wiki$/m);
  assert.match(shown.out, /^starts with +dws_[\w-]{6}$/m);
  assert.doesNotMatch(table.out + shown.out, /dws_[\w-]{7}/);
  const json = JSON.parse((await doorward('token show deploy-bot --json')).out) as { shares: string[] };
  assert.deepEqual(json.shares, ['wiki']);
  assert.equal((await doorward('token delete deploy-bot')).code, 0);
  const gone = await doorward('token show deploy-bot --json');
  assert.equal((JSON.parse(gone.err) as { code: string }).code, 'service_token_unknown');
});

test('token create takes at least one share and an end, and --json answers the token (DESIGN 2.4)', async () => {
  for (const words of ['token create a --share wiki', 'token create a --expires 1d'])
    assert.equal((await doorward(words)).code, 2, words);
  const made = await doorward('token create b --share wiki --expires 1d --json');
  assert.match((JSON.parse(made.out) as { token: string }).token, /^dws_/);
});

test('api-key delete names the service tokens that the key made, and token list --made-by finds them (DESIGN "Service tokens")', async () => {
  const made = await doorward('api-key create stolen --role admin --json');
  const { id, key } = JSON.parse(made.out) as { id: string; key: string };
  const env = { HOME: folder, DOORWARD_URL: control.url.origin, DOORWARD_API_KEY: key };
  const create = ['token', 'create', 'by-stolen', '--share', 'wiki', '--expires', '1d'];
  assert.equal((await callDoorward(create, { env })).code, 0);
  assert.equal((await doorward('token create by-other --share wiki --expires 1d')).code, 0);
  const deleted = await doorward('api-key delete stolen');
  assert.match(deleted.err, /^Deleted stolen\.\nService tokens that it made still work: by-stolen\. /);
  for (const by of [id, `api-key:${id}`]) {
    const { out } = await doorward(`token list --made-by ${by} --json`);
    const { items } = JSON.parse(out) as { items: { name: string; createdBy: string }[] };
    assert.deepEqual(
      items.map(({ name, createdBy }) => [name, createdBy]),
      [['by-stolen', `api-key:${id}`]],
    );
  }
  const again = await doorward('api-key create harmless');
  assert.equal(again.code, 0);
  assert.equal((await doorward('api-key delete harmless')).err, 'Deleted harmless.\n');
});
