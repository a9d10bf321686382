// `doorward account`, `member` and `api-key`, against a control API with a real store.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startControl, type TestAccount, type TestControl } from '../../../test/support/control.ts';
import { callDoorward } from '../../../test/support/doorward.ts';
import { parseApiKey } from '../../domain/api-key.ts';

let folder = '';
let control: TestControl;
let configFile = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doorward-people-'));
  control = await startControl();
  configFile = await configOf(control.store);
});
after(async () => {
  await control[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function doorward(words: string, apiKey = control.alice.apiKey.reveal()) {
  const env = {
    HOME: folder,
    DOORWARD_URL: control.url.origin,
    DOORWARD_API_KEY: apiKey,
    DOORWARD_CONFIG: configFile,
  };
  return callDoorward(words.split(' '), { env });
}

test('member create, list, modify, invite, delete: the invitation alone on its line, once (DESIGN 2.4)', async () => {
  const made = await doorward('member create ann@example.com --role admin --expires-in 2d');
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /^http:\/\/127\.0\.0\.1:\d+\/auth\/invitation#dwi_[\w-]{43}\n$/);
  assert.match(made.err, /shown only once/);
  const table = await doorward('member list');
  assert.match(table.out, /^EMAIL +ROLE +STATE +PROVIDER +LAST LOGIN +ID\n/);
  assert.match(
    table.out,
    /^ann@example\.com +admin +invited, invitation open until [\d-]+ [\d:]+Z +- +never +mem_/m,
  );
  assert.doesNotMatch(table.out, /dwi_/);
  const changed = await doorward('member modify ann@example.com --role member --json');
  assert.equal((JSON.parse(changed.out) as { role: string }).role, 'member');
  const again = await doorward('member invite ann@example.com --json');
  const { invitation } = JSON.parse(again.out) as { invitation: { url: string } };
  assert.notEqual(`${invitation.url}\n`, made.out);
  assert.deepEqual((await doorward('member delete ann@example.com')).code, 0);
  const gone = await doorward('member delete ann@example.com');
  assert.deepEqual([gone.code, gone.out], [1, '']);
  const last = await doorward('member delete alice@example.com --json');
  assert.equal((JSON.parse(last.err) as { code: string }).code, 'last_admin');
});

test('api-key create, list, delete: the key alone on its line, once (DESIGN 2.4)', async () => {
  const made = await doorward('api-key create ci --role admin --scope read --expires-in 90d');
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /^dw_[A-Za-z0-9_-]{43}\n$/);
  const table = await doorward('api-key list', made.out.trim());
  assert.match(table.out, /^NAME +STARTS WITH +ROLE +SCOPE +EXPIRES +LAST USED +CREATED +ID\n/);
  assert.match(
    table.out,
    new RegExp(`^ci +${made.out.slice(0, 'dw_'.length + 6)} +admin +read +[\\d-]+ [\\d:]+Z `, 'm'),
  );
  assert.doesNotMatch(table.out, /dw_[\w-]{7}/);
  const refused = await doorward('api-key create other', made.out.trim());
  assert.deepEqual([refused.code, refused.out], [4, '']);
  assert.equal((await doorward('api-key delete ci')).code, 0);
  assert.equal((await doorward('api-key list', made.out.trim())).code, 4);
  for (const words of ['ci --role owner', 'ci --scope some', 'ci --scope read --scope full', 'CI'])
    assert.equal((await doorward(`api-key create ${words}`)).code, 2, words);
});

test('account suspend, resume and key work beside a running service (DESIGN 2.4)', async () => {
  const { mallory } = control;
  const statusOf = async (as: TestAccount) => (await control.call({ path: '/v1/shares', as })).status;
  assert.equal((await doorward('account suspend mallory')).code, 0);
  assert.equal(await statusOf(mallory), 403);
  assert.match((await doorward('account list')).out, /^mallory +suspended/m);
  const key = await doorward('account key mallory');
  assert.match(key.out, /^dw_[A-Za-z0-9_-]{43}\n$/);
  const apiKey = parseApiKey(key.out.trim());
  assert.ok(apiKey);
  assert.equal(await statusOf({ id: mallory.id, apiKey }), 403);
  const resumed = await doorward('account resume mallory --json');
  assert.deepEqual(JSON.parse(resumed.out), { id: mallory.id, name: 'mallory', suspended: false });
  assert.deepEqual([await statusOf(mallory), await statusOf({ id: mallory.id, apiKey })], [200, 200]);
  const { document } = await control.call({ path: '/v1/audit-events', as: mallory });
  const kinds = (document['items'] as { kind: string; actor: string }[]).map(
    ({ kind, actor }) => `${kind} ${actor}`,
  );
  assert.deepEqual(kinds.toSorted(), [
    'account.resumed operator',
    'account.suspended operator',
    'api_key.created operator',
  ]);
  const unknown = await doorward('account suspend nobody --json');
  assert.equal((JSON.parse(unknown.err) as { code: string }).code, 'account_unknown');
});

/** A configuration whose records are those of the running control API. */
async function configOf({ sqliteFile, masterKey }: TestControl['store']): Promise<string> {
  assert.equal((await callDoorward(['init', '--dir', folder])).code, 0);
  const file = join(folder, 'doorward.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/sqlite:[^"\s]+/, `sqlite:${sqliteFile}`));
  await writeFile(join(folder, 'master.key'), masterKey.reveal());
  return file;
}
