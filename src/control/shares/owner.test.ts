// Who answers for a share: the member who creates it unless somebody is named, and named still when they
// left.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startControl, type TestAccount, type TestControl } from '../../../test/support/control.ts';
import { hashApiKey, newApiKey } from '../../domain/api-key.ts';
import { newId } from '../../domain/id.ts';

let control: TestControl;
let ann: TestAccount;
before(async () => {
  control = await startControl();
  ann = await memberKey('ann@example.com');
});
after(() => control[Symbol.asyncDispose]());

test('POST /v1/shares: the owner is the member who creates it, somebody named, or nobody for a key of no member', async () => {
  const ownerOf = async (json: object, as = ann) => (await create(json, as)).document['owner'];
  assert.equal(await ownerOf({ name: 'anns' }), 'ann@example.com');
  assert.equal(await ownerOf({ name: 'teams', owner: 'Team@Example.com' }), 'Team@Example.com');
  assert.equal(await ownerOf({ name: 'nobodys', owner: null }), null);
  assert.equal(await ownerOf({ name: 'programs' }, await keyOf(null, 'program')), null);
  const refused = await create({ name: 'none', owner: 'no address' }, ann);
  assert.deepEqual([refused.status, refused.document['code']], [422, 'validation_failed']);
  assert.match(JSON.stringify(refused.document['faults']), /"owner"/);
});

test('GET /v1/shares?owner= finds shares by their owner in any case, and no other account’s', async () => {
  await create({ name: 'found', owner: 'Eve@example.com' }, ann);
  await create({ name: 'elsewhere', owner: 'eve@example.com' }, control.mallory);
  assert.deepEqual(await named('eve@EXAMPLE.com'), ['found']);
  assert.deepEqual(await named('eve@example.co'), []);
});

test('an owner who leaves the account stays named, and is told of as no member', async () => {
  const bob = await memberKey('bob@example.com');
  await create({ name: 'bobs' }, bob);
  const isMember = async () =>
    [
      (await control.call({ path: '/v1/shares/bobs' })).document,
      ...((await control.call({ path: '/v1/shares?owner=bob@example.com' })).document[
        'items'
      ] as readonly object[]),
    ].map((share) => [
      (share as { owner: string }).owner,
      (share as { ownerIsMember: boolean }).ownerIsMember,
    ]);
  const [one, other] = await isMember();
  assert.deepEqual(
    [one, other],
    [
      ['bob@example.com', true],
      ['bob@example.com', true],
    ],
  );
  assert.equal((await control.call({ method: 'DELETE', path: '/v1/members/bob@example.com' })).status, 204);
  assert.deepEqual(await isMember(), [
    ['bob@example.com', false],
    ['bob@example.com', false],
  ]);
  // What else of it changes leaves the owner alone.
  const path = '/v1/shares/bobs';
  const changed = await control.call({ method: 'PATCH', path, json: { enabled: false } });
  assert.equal(changed.document['owner'], 'bob@example.com');
  const given = await control.call({ method: 'PATCH', path, json: { owner: 'ann@example.com' } });
  assert.equal(given.document['owner'], 'ann@example.com');
  const { document } = await control.call({ path: '/v1/audit-events?kind=share.modified&limit=1' });
  const [event] = document['items'] as readonly { readonly changes: { before: object; after: object } }[];
  assert.deepEqual(
    [event?.changes.before, event?.changes.after],
    [{ owner: 'bob@example.com' }, { owner: 'ann@example.com' }],
  );
});

test('whoever may not read members is not told whether an address is a member’s', async () => {
  const [own, asAdmin] = [{ path: '/v1/shares/asked', as: ann }, { path: '/v1/shares/asked' }];
  for (const owner of ['ann@example.com', 'nobody@example.com']) {
    await create({ name: 'asked', owner }, ann);
    const list = { ...own, path: `/v1/shares?${new URLSearchParams({ owner, q: 'asked' })}` };
    const [listed] = (await control.call(list)).document['items'] as readonly object[];
    for (const share of [(await control.call(own)).document, listed ?? {}]) {
      assert.equal((share as { owner?: string }).owner, owner);
      assert.equal('ownerIsMember' in share, false);
    }
    assert.equal((await control.call(asAdmin)).document['ownerIsMember'], owner === 'ann@example.com');
    await control.call({ ...own, method: 'DELETE' });
  }
});

test('an owner may nothing that their role does not allow', async () => {
  await create({ name: 'audited' }, ann);
  const path = '/v1/members/ann@example.com';
  assert.equal((await control.call({ method: 'PATCH', path, json: { role: 'auditor' } })).status, 200);
  const change = { method: 'PATCH', path: '/v1/shares/audited', json: { enabled: false }, as: ann };
  assert.deepEqual((await control.call(change)).document['code'], 'not_allowed');
});

function create(json: object, as: TestAccount) {
  return control.call({
    path: '/v1/shares',
    json: { target: 'http://127.0.0.1:3000', open: true, ...json },
    as,
  });
}

async function named(owner: string): Promise<readonly string[]> {
  const { document } = await control.call({ path: `/v1/shares?${new URLSearchParams({ owner })}` });
  return (document['items'] as readonly { readonly name: string }[]).map(({ name }) => name);
}

/** Of a new member of alice's account. */
async function memberKey(email: string): Promise<TestAccount> {
  const { document } = await control.call({ path: '/v1/members', json: { email } });
  const member = document['member'] as { readonly id: `mem_${string}` };
  return keyOf(member.id, email.replaceAll(/[^a-z]/g, '-'));
}

async function keyOf(memberId: `mem_${string}` | null, name: string): Promise<TestAccount> {
  const apiKey = newApiKey();
  const key = {
    id: newId('key'),
    accountId: control.alice.id,
    name,
    hash: hashApiKey(apiKey),
    createdAt: Date.now(),
    role: 'member',
    scope: 'full',
    expiresAt: null,
    memberId,
    createdBy: 'operator',
  } as const;
  await control.store.apiKeys.create(key, null);
  return { id: control.alice.id, apiKey };
}
