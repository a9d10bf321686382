// Tests of a provider or a webhook call out: an account has some a minute, and another account its own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControl } from '../../test/support/control.ts';
import { newId } from '../domain/id.ts';

test('tests of providers and of webhooks are counted for each account, before anything is called (DESIGN "Rate limits")', async () => {
  await using control = await startControl();
  for (const path of ['/v1/auth-providers/none/test', `/v1/webhooks/${newId('whk')}/test`]) {
    for (let count = 0; count < 30; count++)
      assert.equal((await control.call({ path, json: {} })).status, 404);
    const limited = await control.call({ path, json: {} });
    assert.deepEqual([limited.status, limited.document['code']], [429, 'rate_limited'], path);
    assert.ok(Number(limited.headers.get('retry-after')) > 0);
    assert.equal((await control.call({ path, json: {}, as: control.mallory })).status, 404);
  }
  assert.equal((await control.call({ path: '/v1/shares' })).status, 200, 'and nothing else is');
});
