// What a member may know of providers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControl, type TestAccount } from '../../../test/support/control.ts';
import { parseApiKey } from '../../domain/api-key.ts';

test('members know what providers are called, page by page: those of no other account, and nothing else (THREATS "Tenancy")', async () => {
  await using control = await startControl();
  const define = async (name: string, displayName: string | undefined, as: TestAccount) => {
    const config = {
      clientId: 'the-client',
      clientSecret: 's',
      issuerUrl: 'https://127.0.0.1/',
      scopes: ['openid', 'email'],
      emailPatterns: ['*@p.test'],
      ...(displayName === undefined ? {} : { displayName }),
    };
    const json = { name, type: 'OIDC', config };
    assert.equal((await control.call({ path: '/v1/auth-providers', json, as })).status, 201);
  };
  await define('partner', 'Partner Login', control.alice);
  await define('bare', undefined, control.alice);
  await define('theirs', 'Their Login', control.mallory);
  const path = '/v1/api-keys';
  const made = await control.call({ path, json: { name: 'member', role: 'member', scope: 'read' } });
  const apiKey = parseApiKey(String(made.document['key']))!;
  const as = { ...control.alice, apiKey };
  assert.equal((await control.call({ path: '/v1/auth-providers', as })).status, 403);
  const items: unknown[] = [];
  let cursor: unknown = '';
  for (let pages = 0; cursor !== null && pages < 9; pages++) {
    const from = cursor === '' ? '' : `&cursor=${String(cursor)}`;
    const { document } = await control.call({ path: `/v1/auth-provider-names?limit=1${from}`, as });
    items.push(...(document['items'] as readonly unknown[]));
    cursor = document['nextCursor'];
  }
  assert.deepEqual(items, [
    { name: 'bare', displayName: 'bare' },
    { name: 'partner', displayName: 'Partner Login' },
    { name: 'test', displayName: 'Test Login' },
  ]);
  const before = await control.call({ path: '/v1/auth-providers/partner' });
  const json = { config: { displayName: 'Partners' } };
  const etag = before.headers.get('etag') ?? '';
  const headers = { 'if-match': etag };
  const changed = await control.call({
    method: 'PATCH',
    path: '/v1/auth-providers/partner',
    json,
    headers,
  });
  assert.equal(changed.status, 200);
  const { document } = await control.call({ path: '/v1/auth-provider-names', as });
  assert.deepEqual((document['items'] as readonly unknown[])[1], {
    name: 'partner',
    displayName: 'Partners',
  });
});
