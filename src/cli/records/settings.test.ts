// `doorward settings`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { Secret } from '../../domain/secret.ts';
import { main } from '../main.ts';

test('doorward settings tells what is configured to people, and to programs as it is', async () => {
  await using control = await startControl();
  const told = await settings(control);
  assert.equal(told.code, 0, told.err);
  for (const line of [
    /^shares +https:\/\/\*\.share\.example\.com$/m,
    /^custom hosts +any host$/m,
    /^public certificates +by the operator$/m,
    /^audit events +kept for 90d$/m,
    /^apiKeys +1 +2000$/m,
    /^callsAtOnce +8$/m,
    /^test +test +OIDC$/m,
  ])
    assert.match(told.out, line);
  const { document } = await control.call({ path: '/v1/settings' });
  assert.deepEqual(JSON.parse((await settings(control, '--json')).out), document);
});

async function settings(control: TestControl, ...words: readonly string[]) {
  let out = '';
  let err = '';
  const code = await main(['settings', '--url', control.url.origin, ...words], {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    env: { HOME: '/nonexistent', DOORWARD_API_KEY: control.alice.apiKey.reveal() },
    readSecret: async () => new Secret(''),
  });
  return { code, out, err };
}
