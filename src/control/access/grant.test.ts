import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { askForAccess } from '../../../test/support/access-requests.ts';
import { startControl, TEST_PROVIDER, type TestControl } from '../../../test/support/control.ts';
import { MAX_RULES } from '../../domain/access-rule.ts';

let control: TestControl;
before(async () => {
  control = await startControl();
});
after(() => control[Symbol.asyncDispose]());

test('a grant that would be rule 101 says so, and leaves the share and the request as they are (DESIGN "Rules")', async () => {
  const rules = Array.from({ length: MAX_RULES }, (_, index) => ({ allow: { tokens: [`t${index}`] } }));
  const json = {
    name: 'full',
    target: 'http://127.0.0.1:3000',
    oauthProvider: TEST_PROVIDER.name,
    accessRequests: true,
    rules,
  };
  assert.equal((await control.call({ path: '/v1/shares', json })).status, 201);
  const email = 'eve@elsewhere.org';
  const accountId = control.alice.id;
  const id = await askForAccess(control.store, { accountId, share: 'full', provider: TEST_PROVIDER, email });
  const path = `/v1/access-requests/${id}/grant`;
  const refused = await control.call({ path, json: { for: '1d' } });
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.document['faults'], [
    { path: 'rules', message: 'Cannot use rules: there are 101, and may be 100' },
  ]);
  assert.deepEqual((await control.call({ path: '/v1/shares/full' })).document['rules'], rules);
  assert.equal((await control.store.accessRequests.find(accountId, id))?.state, 'open');
  const fewer = { path: '/v1/shares/full', method: 'PATCH', json: { rules: rules.slice(1) } };
  assert.equal((await control.call(fewer)).status, 200);
  assert.equal((await control.call({ path, json: { for: '1d' } })).status, 200);
});
