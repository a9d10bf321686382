// `doorward settings`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import type { ReadConfiguration } from '../../control/control-deps.ts';
import { Secret } from '../../domain/secret.ts';
import { main } from '../main.ts';

test('doorward settings tells what is configured to people, and to programs as it is', async () => {
  await using control = await startControl({ configuration: CONFIGURATION });
  const told = await settings(control);
  assert.equal(told.code, 0, told.err);
  for (const line of [
    /^configuration: doorward\?\.yaml \(named by DOORWARD_CONFIG\), read 2030-01-31 00:00Z$/m,
    /^shares +https:\/\/\*\.share\.example\.com +gateway\.public_url, line 3: the file was changed; restart to apply$/m,
    /^custom hosts +any host +/m,
    /^public certificates +by the operator +default of acme$/m,
    /^console sessions +expire after 12h +built in$/m,
    /^audit events +kept for 90d +store\.audit_retention, line 9$/m,
    /^apiKeys +1 +2000 +limits\.api_keys, line 12 \(the default\)$/m,
    /^callsAtOnce +8 +default of limits\.calls_at_once$/m,
    /^test +test +OIDC +oauth\.providers\[0\], line 20$/m,
  ])
    assert.match(told.out, line);
  const { document } = await control.call({ path: '/v1/settings' });
  assert.deepEqual(JSON.parse((await settings(control, '--json')).out), document);
});

const CONFIGURATION: ReadConfiguration = {
  file: 'doorward\u202e.yaml',
  chosenBy: 'environment',
  readAt: Date.UTC(2030, 0, 31),
  written: new Map([
    ['gateway.public_url', { line: 3, isDefault: null }],
    ['store.audit_retention', { line: 9, isDefault: false }],
    ['limits.api_keys', { line: 12, isDefault: true }],
    ['oauth.providers[0]', { line: 20, isDefault: null }],
  ]),
  awaitsRestart: ['gateway.public_url'],
};

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
