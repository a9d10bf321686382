// `doorward share who` and `doorward person show`, against a control API with a real store.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startControl, TEST_PROVIDER, type TestControl } from '../../../test/support/control.ts';
import { callDoorward } from '../../../test/support/doorward.ts';
import type { ShareId } from '../../domain/id.ts';
import { addSession } from '../../store/suite/bench.test-support.ts';
import type { PersonSharesPage, WhoPage } from '../../wire/who.ts';

let folder = '';
let control: TestControl;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doorward-who-'));
  control = await startControl();
  const login = { target: 'http://127.0.0.1:3000', oauthProvider: TEST_PROVIDER.name };
  const made = await control.call({
    path: '/v1/shares',
    json: { name: 'wiki', ...login, allowGroups: ['eng-*'], denyEmails: ['mallory@*'] },
  });
  const id = made.document['id'] as ShareId;
  for (let each = 0; each < 105; each++)
    await control.call({ path: '/v1/shares', json: { name: `files-${each}`, ...login } });
  const facts = { groups: ['eng-web'], claims: {}, acr: null, amr: [], authTime: null, name: null };
  for (const email of ['ann@a.test', 'mallory@a.test'])
    await addSession(control.store, {
      share: { id, accountId: control.alice.id },
      at: Date.now(),
      provider: TEST_PROVIDER.name,
      generation: TEST_PROVIDER.generation,
      browser: email,
      email,
      facts,
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

test('share who tells whom the rules speak of, and then each person whom the account knows (DESIGN "Rules")', async () => {
  const { out, code } = await doorward('share who wiki');
  assert.equal(code, 0);
  assert.match(out, /^let in: group eng-\*, logged in with Test Login \(login, allow\)\n/);
  assert.match(out, /^deny: mallory@\* \(deny_emails, deny\)$/m);
  assert.match(out, /^WHO +BY +OUTCOME +WHY\n/m);
  assert.match(out, /^ann@a\.test +test +allowed +/m);
  assert.match(out, /^mallory@a\.test +test +refused +denied by deny_emails, deny$/m);
  const json = JSON.parse((await doorward('share who wiki --json')).out) as WhoPage;
  assert.deepEqual([json.share, json.items.length, json.nextCursor], ['wiki', 2, null]);
  assert.match((await doorward('share who files-1')).out, /^ann@a\.test/m);
  assert.equal((await doorward('share who none')).code, 1);
});

test('person show tells of every share, beyond one page, and what the provider said of the person (DESIGN "Rules")', async () => {
  const { out } = await doorward('person show Ann@a.test');
  assert.match(out, /^not a member; 1 session\nlogged in with test on [\d-]+ [\d:]+Z: groups eng-web\n/);
  assert.match(out, /^SHARE +OUTCOME +WHY\n/m);
  assert.match(out, /^wiki +allowed +/m);
  assert.equal(out.match(/^files-\d+ +allowed/gm)?.length, 105);
  const json = JSON.parse((await doorward('person show new@a.test --json')).out) as PersonSharesPage;
  assert.deepEqual([json.logins, json.items.length], [[], 106]);
  assert.equal(json.items.find(({ share }) => share === 'wiki')?.outcome, 'depends');
  assert.equal((await doorward('person show')).code, 2);
  assert.equal((await doorward('person show --certificate cer_none')).code, 1);
});
