// `doorward access`, against a control API with a real store.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { askForAccess } from '../../../test/support/access-requests.ts';
import { startControl, TEST_PROVIDER, type TestControl } from '../../../test/support/control.ts';
import { callDoorward } from '../../../test/support/doorward.ts';
import type { AccessRequestObject } from '../../wire/access-request.ts';
import { main } from '../main.ts';
import { Secret } from '../../domain/secret.ts';

let folder = '';
let control: TestControl;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doorward-access-'));
  control = await startControl();
  for (const name of ['wiki', 'files'])
    await control.call({
      path: '/v1/shares',
      json: { name, target: 'http://127.0.0.1:3000', oauthProvider: TEST_PROVIDER.name },
    });
});
after(async () => {
  await control[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function environment(as = control.alice) {
  return { HOME: folder, DOORWARD_URL: control.url.origin, DOORWARD_API_KEY: as.apiKey.reveal() };
}

function doorward(words: string, as = control.alice) {
  return callDoorward(words.split(' '), { env: environment(as) });
}

function ask(asking: { readonly share: string; readonly email: string; readonly message?: string }) {
  return askForAccess(control.store, { accountId: control.alice.id, provider: TEST_PROVIDER, ...asking });
}

async function onlyOne(words: string): Promise<AccessRequestObject> {
  const { items } = JSON.parse((await doorward(`${words} --json`)).out) as {
    items: readonly AccessRequestObject[];
  };
  assert.equal(items.length, 1);
  return items[0]!;
}

test('access list tells who asks, where and in which words, and nobody of another account (DESIGN "Requests for access")', async () => {
  assert.equal((await doorward('access list')).out, 'No open requests.\n');
  await ask({ share: 'wiki', email: 'eve@elsewhere.org', message: 'I am\u001b[31m new' });
  await ask({ share: 'files', email: 'sam@elsewhere.org' });
  const table = await doorward('access list');
  assert.match(table.out, /^WHO +SHARE +PROVIDER +ASKED +ID +MESSAGE\n/);
  assert.match(table.out, /^eve@elsewhere\.org +wiki +\S+ +[\d-]+ [\d:]+Z +arq_\w+ +I am\S* new$/m);
  assert.ok(!table.out.includes('\u001b'), 'what a stranger wrote steers no terminal');
  assert.match((await doorward('access list --share files')).out, /sam@/);
  assert.doesNotMatch((await doorward('access list --share files')).out, /eve@/);
  assert.equal((await doorward('access list', control.mallory)).out, 'No open requests.\n');
  assert.equal((await doorward('access list --share none --json')).code, 1);
});

test('access grant lets in for a time or until a day, by exactly one of the two (DESIGN "Requests for access")', async () => {
  const { id } = await onlyOne('access list --share wiki');
  for (const wrong of ['', ' --for 7d --until 2099-01-01', ' --until tomorrow', ' --until 2027-02-31'])
    assert.equal((await doorward(`access grant ${id}${wrong}`)).code, 2, wrong);
  const foreign = await doorward(`access grant ${id} --for 7d --json`, control.mallory);
  assert.equal((JSON.parse(foreign.err) as { code: string }).code, 'access_request_unknown');
  const tooLong = await doorward(`access grant ${id} --for 91d --json`);
  assert.equal((JSON.parse(tooLong.err) as { code: string }).code, 'validation_failed');
  const granted = await doorward(`access grant ${id} --for 7d`);
  assert.equal(granted.code, 0, granted.err);
  assert.match(granted.err, /^eve@elsewhere\.org can open wiki until [\d-]+ [\d:]+Z\.\n$/);
  const again = await doorward(`access grant ${id} --for 7d --json`);
  assert.equal((JSON.parse(again.err) as { code: string }).code, 'access_request_decided');
  assert.match((await doorward('access list --state granted')).out, /^WHO .* UNTIL +ID +MESSAGE\n/);
  assert.match((await doorward('share show wiki')).out, /eve@elsewhere\.org/);

  const other = await onlyOne('access list --share files');
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const untilDay = await doorward(`access grant ${other.id} --until ${day} --json`);
  const { grantedUntil } = JSON.parse(untilDay.out) as AccessRequestObject;
  assert.equal(Date.parse(grantedUntil ?? ''), Date.parse(day) + 86_400_000, 'the day counts whole');
});

test('access dismiss asks at a terminal, and completion gives the open requests (DESIGN 2.4)', async () => {
  await ask({ share: 'wiki', email: 'zoe@elsewhere.org' });
  const { id } = await onlyOne('access list');
  const completed = await doorward('complete -- access dismiss arq');
  assert.match(completed.out, new RegExp(`^${id}\tzoe@elsewhere\\.org, wiki$`, 'm'));
  let [asked, err] = ['', ''];
  const own = process.env;
  process.env = environment();
  const code = await main(['access', 'dismiss', id], {
    out: () => {},
    err: (text) => void (err += text),
    env: environment(),
    readSecret: async () => new Secret(''),
    ask: async (question) => {
      asked = question;
      return 'n';
    },
  });
  process.env = own;
  assert.match(asked, /Dismiss the request arq_\w+\?/);
  assert.notEqual(code, 0, err);
  assert.equal((await onlyOne('access list')).state, 'open');
  const dismissed = await doorward(`access dismiss ${id}`);
  assert.equal(dismissed.err, 'Dismissed the request of zoe@elsewhere.org for wiki.\n');
  assert.equal((await onlyOne('access list --state dismissed')).id, id);
});
