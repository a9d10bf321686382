import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, P, SOUND, soundOf, type Value } from '../../test/support/sound-config.ts';
import { configWarnings } from './warnings.ts';

const TLS = [{ certificate_file: 'chain.pem', key_file: 'key.pem' }];
/** Nothing in it is an example. */
const OWN = [
  ['gateway.public_url', 'https://*.share.corp.net'],
  ['oauth.endpoint_url', 'https://auth.share.corp.net'],
  ['oauth.cookie_domain', 'share.corp.net'],
  ['control.public_url', 'https://control.corp.net'],
  [`${P}.issuer`, 'https://id.corp.net'],
  ['tls', TLS],
].reduce<Value>((config, [path, value]) => changed(config, path as string, value as Value), SOUND);

/** With their kinds. */
function of(config: Value): readonly string[] {
  return configWarnings(soundOf(config)).map(({ kind, path }) => `${kind} ${path}`);
}

function pathsOf(config: Value): readonly string[] {
  return configWarnings(soundOf(config)).map(({ path }) => path);
}

test('configWarnings() is silent on a configuration that was filled in', () => {
  assert.deepEqual(pathsOf(OWN), []);
});

test('configWarnings() finds names for examples, wherever a public name stands (RFC 2606)', () => {
  assert.deepEqual(pathsOf(changed(SOUND, 'tls', TLS)), [
    'gateway.public_url',
    'oauth.endpoint_url',
    'control.public_url',
    `${P}.issuer`,
  ]);
  const rows: readonly (readonly [string, Value])[] = [
    [`${P}.issuer`, 'https://login.example.org/realms/x'],
    ['control.public_url', 'https://control.corp.example'],
    ['tunnel', { bind_address: '0.0.0.0:8383', public_url: 'https://tunnel.example.net:8383' }],
    ['pki', { bind_address: '0.0.0.0:80', public_url: 'http://pki.example.com' }],
    ['brand', { contact: 'help@example.com' }],
    ['brand', { contact: 'https://help.example.com/' }],
  ];
  for (const [path, value] of rows) {
    const [found, ...more] = pathsOf(changed(OWN, path, value));
    assert.ok(found?.startsWith(path) && more.length === 0, `${path}: ${found}`);
  }
  for (const host of ['notexample.com', 'example.com.corp.net', 'examples.org'])
    assert.deepEqual(pathsOf(changed(OWN, 'control.public_url', `https://${host}`)), [], host);
});

test('configWarnings() finds secrets and client ids that were never filled in, and shows no secret', () => {
  const fill = ' of thirty-two characters or more';
  const rows = [
    [`${P}.client_id`, 'replace-me'],
    [`${P}.client_id`, '<CLIENT_ID>'],
    [`${P}.client_id`, '…apps.googleusercontent.com'],
    [`${P}.client_secret`, 'changeme'],
    [`${P}.client_secret`, 'CHANGE_ME'],
    [`${P}.client_secret`, 'your-client-secret'],
    [`${P}.client_secret`, 'xxxxxxxx'],
    ['oauth.signing_key', `change-me${fill}`],
    ['oauth.encryption_key', `placeholder${fill}`],
  ] as const;
  for (const [path, value] of rows) {
    const warnings = configWarnings(soundOf(changed(OWN, path, value)));
    assert.deepEqual(
      warnings.map((each) => [each.kind, each.path]),
      [['placeholder', path]],
      value,
    );
    if (!path.endsWith('client_id'))
      assert.doesNotMatch(JSON.stringify(warnings), new RegExp(value.slice(0, 12)));
  }
});

test('configWarnings() finds an https address that nobody ends TLS for', () => {
  const plain = changed(OWN, 'tls', []);
  assert.deepEqual(of(plain), ['tls gateway.public_url', 'tls oauth.endpoint_url', 'tls control.public_url']);
  assert.deepEqual(of(changed(plain, 'gateway.trusted_proxies', ['127.0.0.1'])), []);
  assert.deepEqual(of(changed(OWN, 'gateway.tls', 'off')), [
    'tls gateway.public_url',
    'tls oauth.endpoint_url',
    'tls control.public_url',
  ]);
  // At an address of its own, over http to this machine alone.
  assert.deepEqual(
    of(changed(changed(OWN, 'control.public_url', 'http://127.0.0.1:8282'), 'control.tls', 'off')),
    [],
  );
});
