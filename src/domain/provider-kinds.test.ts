// The records of the types agree with themselves, and what is settled by them is what the type has.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIELD_NAMES, PROVIDER_FIELDS } from './provider-fields.ts';
import {
  fieldsOf,
  followingFields,
  kindOf,
  PROVIDER_TYPES,
  settledValues,
  typesNeeding,
  typesWith,
} from './provider-kinds.ts';
import { hasPlaceholder, PRESET_IDS, PRESET_TYPE, presetOf } from './provider-presets.ts';

for (const type of PROVIDER_TYPES) {
  const kind = kindOf(type);

  test(`PROVIDER_KINDS: ${type} has a value for each field that may be left out, and its own scopes among them (2.2)`, () => {
    for (const [name, { required, absent, asked, meaning }] of fieldsOf(kind)) {
      assert.equal(required === 'everywhere', absent === undefined, name);
      assert.ok(PROVIDER_FIELDS[name].file === null || meaning !== '', name);
      // Nobody could fill in a form that does not ask for what is needed.
      assert.ok(required === undefined || asked !== undefined, name);
    }
    const scopes = kind.fields.scopes?.absent;
    assert.ok(!Array.isArray(scopes) || kind.neededScopes.every((scope) => scopes.includes(scope)));
    for (const name of Object.keys(kind.always)) assert.ok(!Object.hasOwn(kind.fields, name), name);
  });
}

test('PROVIDER_FIELDS: no two fields are spelled the same, and each is of some type', () => {
  const files = FIELD_NAMES.map((name) => PROVIDER_FIELDS[name].file).filter((file) => file !== null);
  assert.equal(new Set(files).size, files.length);
  for (const name of FIELD_NAMES)
    assert.ok(
      PROVIDER_TYPES.some((type) => kindOf(type).fields[name]),
      name,
    );
});

test('settledValues() fills in what the type has without, what always holds, and nothing for what it has none of (2.2)', () => {
  const google = settledValues(kindOf('google'), { prompt: '', apiUrl: 'https://elsewhere.example' });
  assert.deepEqual(google.scopes, ['openid', 'email', 'profile']);
  assert.deepEqual(
    [google.issuerUrl, google.apiUrl, google.prompt],
    ['https://accounts.google.com', null, ''],
  );
  assert.deepEqual(
    [google.supportsPkce, google.requireVerifiedEmail, google.rpInitiatedLogout],
    [true, true, false],
  );
  const server = settledValues(kindOf('github'), { baseUrl: 'https://git.example.com' });
  assert.equal(server.apiUrl, 'https://git.example.com/api/v3');
  assert.equal(settledValues(kindOf('github'), {}).apiUrl, 'https://api.github.com');
});

test('followingFields() tells what follows from other fields from what was chosen', () => {
  const baseUrl = 'https://git.example.com';
  const [follows, chosen] = ['https://git.example.com/api/v3', 'https://api.example.com'];
  assert.deepEqual(followingFields(kindOf('github'), { baseUrl, apiUrl: follows }), ['apiUrl']);
  assert.deepEqual(followingFields(kindOf('github'), { baseUrl, apiUrl: chosen }), []);
});

test('typesWith() names the types of a field that not all have, typesNeeding() those that must be given it', () => {
  assert.deepEqual([typesWith('prompt'), typesWith('issuerUrl')], [[], ['GOOGLE', 'OIDC']]);
  assert.deepEqual([typesNeeding('issuerUrl'), typesNeeding('supportsPkce')], [['OIDC'], []]);
});

for (const id of PRESET_IDS)
  test(`PROVIDER_PRESETS: ${id} sets fields of its type alone, and has one place for the redirect URL`, () => {
    const { issuer, settings, register } = presetOf(id);
    const { fields, neededScopes } = kindOf(PRESET_TYPE);
    for (const name of Object.keys(settings)) assert.ok(Object.hasOwn(fields, name), name);
    assert.ok(neededScopes.every((scope) => settings.scopes?.includes(scope)));
    assert.ok(hasPlaceholder(issuer) && URL.canParse(issuer.replaceAll(/\{[\w-]+\}/g, 'example')));
    assert.equal(register.filter((step) => step.includes('{redirectUrl}')).length, 1);
  });
