import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENCRYPTION_KEY, parseText, SIGNING_KEY, SOUND, soundOf } from '../../test/support/sound-config.ts';
import { readTree } from './yaml-tree.ts';
import { writtenKeys } from './written-keys.ts';

const LINES = `# A comment is no key.
store:
  audit_retention: 9600h
  ended_retention: 8d
  outage_grace:
    30s
limits: { shares: 321, hosts: 1000 }

oauth:
  session_lifetime: 6h
  logout_redirect_hosts: []
  previous_keys: []
  providers:
    - name: corp
    - name: hub
      type: github
brand:
  name: >-
    Doorward
outbound_allow: []
`;

test('writtenKeys() tells the line of each key, and whether it says the default (DESIGN 2.1)', () => {
  const written = writtenKeys(readTree(LINES));
  const said = (path: string) => {
    const key = written.get(path);
    return key === undefined ? null : [key.line, key.isDefault];
  };
  assert.deepEqual(said('store.audit_retention'), [3, true], '9600h is 400d');
  assert.deepEqual(said('store.ended_retention'), [4, false]);
  assert.deepEqual(said('store.outage_grace'), [5, true], 'where the key stands');
  assert.deepEqual(said('limits.shares'), [7, false]);
  assert.deepEqual(said('oauth.session_lifetime'), [10, null], 'required: no default');
  assert.deepEqual(
    said('oauth.logout_redirect_hosts'),
    [11, false],
    'nothing that can be written says the same',
  );
  assert.deepEqual(said('oauth.previous_keys'), [12, true]);
  assert.deepEqual(said('oauth.providers[0]'), [14, null]);
  assert.deepEqual(said('oauth.providers[1].type'), [16, null]);
  assert.deepEqual(said('brand.name'), [18, true]);
  assert.deepEqual(said('outbound_allow'), [20, true]);
  assert.deepEqual(said('limits.webhooks'), null, 'left out');
  assert.deepEqual(said('log'), null);
});

test('parseConfig() keeps what the file says beside its values, and no value with it (2.1)', () => {
  const { written } = soundOf(SOUND);
  assert.deepEqual(written.get('gateway.public_url'), { line: 3, isDefault: null });
  const all = JSON.stringify([...written]);
  for (const secret of [SIGNING_KEY, ENCRYPTION_KEY, 'the-client-secret']) assert.ok(!all.includes(secret));
  const parsed = parseText('oauth: {}\n');
  assert.ok('faults' in parsed);
});
