// Providers by type, secrets in files, plain HTTP, listeners, the logo.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ABSENT,
  changed,
  ENCRYPTION_KEY,
  faultsOf,
  P,
  parseValue,
  SIGNING_KEY,
  SOUND,
  soundOf,
  type Value,
} from '../../test/support/sound-config.ts';
import { createClientKey } from '../../test/support/client-keys.ts';

describe('parseConfig(), a private key in place of a client secret (RFC 7523)', () => {
  const path = `${P}.client_private_key_file`;
  const { pem } = createClientKey('P-256');
  const files = { '/etc/doorward/key.pem': pem, '/etc/doorward/weak.pem': 'no key', '/etc/doorward/s': 's' };
  const keyed = (file = 'key.pem') => changed(changed(SOUND, `${P}.client_secret`, ABSENT), path, file);

  test('the key is read from its file, with its id', () => {
    const [provider] = soundOf(changed(keyed(), `${P}.client_key_id`, 'key-1'), files).oauth.providers;
    assert.equal(provider?.clientSecret, null);
    assert.equal(provider.clientKey?.pem.reveal(), pem);
    assert.equal(provider.clientKey.keyId, 'key-1');
    assert.equal(soundOf(keyed(), files).oauth.providers[0]?.clientKey?.keyId, null);
    assert.doesNotMatch(JSON.stringify(provider), /PRIVATE KEY/);
  });

  test('a secret beside it, no key, an odd id, and another type are faults that repeat nothing', () => {
    const google = { name: 'g', type: 'google', client_id: 'id', client_private_key_file: 'key.pem' };
    const secretFile = changed(keyed(), `${P}.client_secret_file`, 's');
    for (const [value, at] of [
      [changed(SOUND, path, 'key.pem'), path],
      [secretFile, path],
      [keyed('weak.pem'), path],
      [keyed('nowhere.pem'), path],
      [keyed(''), path],
      [changed(keyed(), `${P}.client_key_id`, 'two words'), `${P}.client_key_id`],
      [providers(google), `${P}.client_private_key_file`],
    ] as const) {
      const faults = faultsOf(value, files);
      assert.deepEqual(new Set(faults.map((fault) => fault.path)), new Set([at]));
      assert.doesNotMatch(JSON.stringify(faults), /PRIVATE KEY-|no key"/);
    }
  });
});

describe('parseConfig(), providers (contract 2.2)', () => {
  const plain = { client_id: 'id', client_secret: 'secret' };

  test('every type has a prompt, empty or not, and none unless said', () => {
    for (const type of ['google', 'github'])
      for (const prompt of ['consent', '']) {
        const [read] = soundOf(providers({ name: 'g', type, prompt, ...plain })).oauth.providers;
        assert.equal(read?.prompt, prompt);
      }
  });

  test('google needs no more than a name and a client', () => {
    const [google] = soundOf(providers({ name: 'g', type: 'google', ...plain })).oauth.providers;
    assert.deepEqual(google?.scopes, ['openid', 'email', 'profile']);
    assert.equal(google?.issuer, 'https://accounts.google.com');
    assert.ok(google?.supportsPkce === true && google.requireVerifiedEmail && google.baseUrl === null);
  });

  test('github needs no more than a name and a client', () => {
    const [github] = soundOf(providers({ name: 'g', type: 'github', ...plain })).oauth.providers;
    assert.deepEqual(github?.scopes, ['user:email', 'read:user']);
    assert.equal(github?.issuer, null);
    assert.equal(github?.baseUrl, 'https://github.com');
    assert.equal(github?.apiUrl, 'https://api.github.com');
    assert.ok(github?.supportsPkce === true && github.requireVerifiedEmail);
  });

  test('github on a server of its own has its API there, unless told otherwise', () => {
    const own = { name: 'g', type: 'github', ...plain, base_url: 'https://git.example.com/' };
    const [derived] = soundOf(providers(own)).oauth.providers;
    assert.equal(derived?.baseUrl, 'https://git.example.com');
    assert.equal(derived?.apiUrl, 'https://git.example.com/api/v3');
    const [told] = soundOf(providers({ ...own, api_url: 'https://api.example.com' })).oauth.providers;
    assert.equal(told?.apiUrl, 'https://api.example.com');
  });

  for (const [type, key] of [
    ['google', 'supports_pkce'],
    ['google', 'base_url'],
    ['google', 'require_verified_email'],
    ['github', 'issuer'],
    ['oidc', 'api_url'],
  ] as const) {
    test(`${type} has no ${key}`, () => {
      const faults = faultsOf(providers({ name: 'g', type, ...plain, [key]: 'x' }));
      assert.ok(faults.some((fault) => fault.path === `${P}.${key}` && fault.found.includes('unknown key')));
    });
  }

  test('github needs the scope that reads addresses', () => {
    const faults = faultsOf(providers({ name: 'g', type: 'github', ...plain, scopes: ['read:user'] }));
    assert.equal(faults[0]?.path, `${P}.scopes`);
  });

  test('several providers on one frontend have names of their own (1 point 1)', () => {
    const google = { name: 'g', type: 'google', ...plain };
    assert.equal(soundOf(providers(google, { ...google, name: 'h' })).oauth.providers.length, 2);
    assert.deepEqual(
      faultsOf(providers(google, google)).map((fault) => fault.path),
      ['oauth.providers[1].name'],
    );
  });
});

describe('parseConfig(), secrets in files (DESIGN 2.1)', () => {
  test('any secret may lie in a file, relative to the configuration, less its last line break', () => {
    const files = {
      '/etc/doorward/keys/sign': `${SIGNING_KEY}\n`,
      '/run/enc': `${ENCRYPTION_KEY}\r\n`,
      '/etc/doorward/c': 'x y',
    };
    const signing = soundOf(withFile('oauth.signing_key', 'keys/sign'), files);
    assert.equal(signing.oauth.keys.signingKey.reveal(), SIGNING_KEY);
    const encryption = soundOf(withFile('oauth.encryption_key', '/run/enc'), files);
    assert.equal(encryption.oauth.keys.encryptionKey.reveal(), ENCRYPTION_KEY);
    const client = soundOf(withFile(`${P}.client_secret`, './c'), files);
    assert.equal(client.oauth.providers[0]?.clientSecret?.reveal(), 'x y');
    const { engine } = soundOf(withFile('store.url', 'db'), {
      '/etc/doorward/db': 'postgres://u:p@db/x\n',
    }).store;
    assert.equal(engine.kind === 'postgres' && engine.url.reveal(), 'postgres://u:p@db/x');
  });

  test('an address of the store that cannot be used is a fault that repeats nothing of it', () => {
    const text = 'postgres://u:ses#ame@db/x';
    for (const faults of [
      faultsOf(changed(SOUND, 'store.url', text)),
      faultsOf(withFile('store.url', 'db'), { '/etc/doorward/db': text }),
      faultsOf(withFile('store.url', 'db'), { '/etc/doorward/db': 'sesame' }),
    ]) {
      assert.match(faults[0]?.path ?? '', /^store\.url/);
      assert.doesNotMatch(JSON.stringify(faults), /ses|ame@/);
    }
  });

  test('a field and its file exclude each other', () => {
    const faults = faultsOf(changed(SOUND, 'oauth.signing_key_file', 'x'), {
      '/etc/doorward/x': 's'.repeat(40),
    });
    assert.deepEqual(
      faults.map((fault) => fault.path),
      ['oauth.signing_key_file'],
    );
  });

  for (const [what, content] of [
    ['too short', `${'s'.repeat(31)}\n`],
    ['two lines', `${SIGNING_KEY}\n\n`],
    ['not UTF-8', '\xff'.repeat(40)],
    ['empty', ''],
  ] as const) {
    test(`a file that is ${what} is a fault`, () => {
      const faults = faultsOf(withFile('oauth.signing_key', 'x'), { '/etc/doorward/x': content });
      assert.deepEqual(
        faults.map((fault) => fault.path),
        ['oauth.signing_key_file'],
      );
    });
  }

  test('a missing file is a fault', () => {
    assert.match(faultsOf(withFile('oauth.signing_key', 'gone'))[0]?.found ?? '', /cannot be read/);
  });

  test('previous keys may lie in files (3 Session cookie)', () => {
    const files = { '/etc/doorward/a': 'a'.repeat(32), '/etc/doorward/b': 'b'.repeat(24) };
    const value = changed(SOUND, 'oauth.previous_keys', [
      { signing_key_file: 'a', encryption_key_file: 'b' },
    ]);
    assert.equal(soundOf(value, files).oauth.previousKeys[0]?.signingKey.reveal(), 'a'.repeat(32));
  });
});

describe('parseConfig(), plain HTTP (DESIGN 2.1)', () => {
  const local = changed(
    changed(
      changed(SOUND, 'gateway.public_url', 'http://*.share.localhost:8080'),
      'oauth.endpoint_url',
      'http://auth.share.localhost:8080',
    ),
    'oauth.cookie_domain',
    'share.localhost',
  );
  const remote = changed(
    changed(SOUND, 'gateway.public_url', 'http://*.share.example.com'),
    'oauth.endpoint_url',
    'http://auth.share.example.com',
  );

  test('localhost names need no leave', () => {
    assert.deepEqual(soundOf(local).gateway.publicUrl, {
      scheme: 'http',
      domain: 'share.localhost',
      port: 8080,
    });
  });
  test('other names need allow_plain_http', () => {
    assert.deepEqual(
      faultsOf(remote).map((fault) => fault.path),
      ['gateway.public_url', 'oauth.endpoint_url'],
    );
    assert.equal(soundOf(changed(remote, 'allow_plain_http', true)).gateway.publicUrl.port, 80);
    assert.ok('faults' in parseValue(changed(remote, 'allow_plain_http', false)));
  });
  test('a provider over plain HTTP is on this machine, whatever else is allowed', () => {
    const github = { name: 'gh', type: 'github', client_id: 'id', client_secret: 'secret' };
    const allowed = changed(SOUND, 'allow_plain_http', true);
    assert.deepEqual(faultPaths(changed(allowed, `${P}.issuer`, 'http://id.example.com')), [`${P}.issuer`]);
    for (const field of ['base_url', 'api_url']) {
      const entry = { ...github, [field]: 'http://github.example.com' };
      assert.deepEqual(faultPaths(changed(allowed, 'oauth.providers', [entry])), [`${P}.${field}`]);
    }
    assert.equal(
      soundOf(changed(SOUND, `${P}.issuer`, 'http://id.localhost:9000')).oauth.providers[0]?.issuer,
      'http://id.localhost:9000',
    );
  });
});

describe('parseConfig(), listeners (DESIGN 2.1)', () => {
  const tls = [{ certificate_file: 'tls/cert.pem', key_file: '/run/key.pem' }];

  test('certificates are not for metrics on loopback, where no name of theirs leads, nor for revocation lists', () => {
    const of = (bind: string, more = {}) =>
      soundOf(changed(changed(SOUND, 'tls', tls), 'metrics', { bind_address: bind, ...more })).metrics?.tls;
    for (const bind of ['127.0.0.1:9464', '127.9.0.1:9464', '[::1]:9464'])
      assert.equal(of(bind), false, bind);
    for (const bind of ['10.0.0.5:9464', '0.0.0.0:9464']) assert.equal(of(bind), true, bind);
    assert.equal(of('10.0.0.5:9464', { tls: 'off' }), false);
    const pki = { bind_address: '0.0.0.0:80', public_url: 'http://pki.example.com' };
    assert.equal(soundOf(changed(changed(SOUND, 'tls', tls), 'pki', pki)).pki?.tls, false);
  });

  test('certificates serve every listener that does not say tls: off', () => {
    const config = soundOf(changed(changed(SOUND, 'tls', tls), 'control.tls', 'off'));
    assert.deepEqual(config.tls, [
      { certificateFile: '/etc/doorward/tls/cert.pem', keyFile: '/run/key.pem' },
    ]);
    assert.deepEqual([config.gateway.tls, config.oauth.tls, config.control.tls], [true, true, false]);
  });
  test('without certificates no TLS', () => {
    assert.equal(soundOf(changed(SOUND, 'tls', [])).gateway.tls, false);
  });
  test("oauth and control may both have the gateway's address", () => {
    const value = changed(
      changed(SOUND, 'oauth.bind_address', '0.0.0.0:443'),
      'control.bind_address',
      '0.0.0.0:443',
    );
    assert.equal(soundOf(value).control.bindAddress.port, 443);
  });
});

describe('parseConfig(), control.client_certificates (DESIGN 2.1, 3 "Mutual TLS")', () => {
  test('none is asked for unless said', () => {
    assert.equal(soundOf(SOUND).control.clientCertificates, 'none');
    assert.equal(soundOf(asking('none')).control.clientCertificates, 'none');
  });

  for (const mode of ['optional', 'required'])
    test(`${mode} needs TLS that the service ends, at the gateway's address or its own`, () => {
      assert.equal(soundOf(secure(asking(mode))).control.clientCertificates, mode);
      assert.deepEqual(pathsOf(asking(mode)), ['control.client_certificates']);
      const through = changed(secure(asking(mode)), 'control.tls', 'off');
      assert.equal(soundOf(through).control.clientCertificates, mode);
      const nowhere = changed(through, 'control.public_url', 'https://control.example.com:8282');
      assert.deepEqual(pathsOf(nowhere), ['control.client_certificates']);
      const behind = changed(changed(secure(asking(mode)), 'gateway.tls', 'off'), 'control.tls', 'off');
      assert.deepEqual(pathsOf(behind), ['control.client_certificates']);
    });
});

function asking(mode: string): Value {
  return changed(SOUND, 'control.client_certificates', mode);
}

function secure(value: Value): Value {
  return changed(value, 'tls', [{ certificate_file: 'a.pem', key_file: 'a.key' }]);
}

function pathsOf(value: Value): readonly string[] {
  return faultsOf(value).map(({ path }) => path);
}

test('a logo becomes a data URL of bounded size (issue point 8)', () => {
  const value = changed(SOUND, 'brand', { logo_file: 'logo.svg' });
  assert.equal(
    soundOf(value, { '/etc/doorward/logo.svg': '<svg/>' }).brand.logo,
    'data:image/svg+xml;base64,PHN2Zy8+',
  );
  assert.equal(
    faultsOf(value, { '/etc/doorward/logo.svg': 'x'.repeat(65 * 1024) })[0]?.path,
    'brand.logo_file',
  );
});

function faultPaths(value: Value): readonly string[] {
  return faultsOf(value).map((fault) => fault.path);
}

function providers(...entries: readonly Value[]): Value {
  return changed(SOUND, 'oauth.providers', entries);
}

function withFile(field: string, file: string): Value {
  return changed(changed(SOUND, field, ABSENT), `${field}_file`, file);
}
