import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyCharacter } from '../../test/support/any-character.ts';
import { stringify } from 'yaml';
import {
  ABSENT,
  changed,
  ENCRYPTION_KEY,
  faultsOf,
  P,
  parseText,
  parseValue,
  SIGNING_KEY,
  SOUND,
  soundOf,
  type Value,
} from '../../test/support/sound-config.ts';

test('parseConfig() reads a sound configuration (2.1, 2.2)', () => {
  const config = soundOf(SOUND);
  assert.equal(config.file, '/etc/doorward/doorward.yaml');
  assert.deepEqual(config.gateway, {
    bindAddress: { host: '0.0.0.0', port: 443 },
    tls: false,
    publicUrl: { scheme: 'https', domain: 'share.example.com', port: 443 },
    workers: 1,
    trustedProxies: [],
    directTargets: [],
    identityHeaderPrefix: 'svc-auth-',
  });
  const { keys, providers, ...oauth } = config.oauth;
  assert.deepEqual(oauth, {
    bindAddress: { host: '127.0.0.1', port: 8081 },
    tls: false,
    endpointUrl: new URL('https://auth.share.example.com'),
    cookieName: 'svc-auth-session',
    cookieDomain: 'share.example.com',
    sessionLifetimeMs: 21_600_000,
    intermediateLifetimeMs: 300_000,
    previousKeys: [],
    logoutRedirectHosts: null,
  });
  assert.equal(keys.signingKey.reveal(), SIGNING_KEY);
  assert.equal(keys.encryptionKey.reveal(), ENCRYPTION_KEY);
  assert.equal(providers.length, 1);
  assert.deepEqual(config.store, {
    engine: { kind: 'sqlite', file: '/etc/doorward/data/doorward.db' },
    masterKeyFile: '/etc/doorward/master.key',
    outageGraceMs: 30_000,
    endedRetentionMs: 7 * 86_400_000,
    auditRetentionMs: 400 * 24 * 60 * 60 * 1000,
  });
  assert.equal(config.metrics, null);
  assert.deepEqual(config.brand, { name: 'Doorward', logo: null, contact: null });
});

test('parseConfig() answers a frozen configuration that prints no secret', () => {
  const config = soundOf(SOUND);
  assert.throws(() => Object.assign(config.oauth, { cookieName: 'other' }), TypeError);
  assert.throws(() => (config.oauth.providers as unknown[]).push(1), TypeError);
  for (const secret of [SIGNING_KEY, ENCRYPTION_KEY, 'the-client-secret'])
    assert.ok(!JSON.stringify(config).includes(secret));
});

const REQUIRED = [
  ...'bind_address endpoint_url cookie_name cookie_domain session_lifetime intermediate_lifetime'.split(' '),
  ...'signing_key encryption_key providers'.split(' '),
];
test('a key that is left out is told what it wants, as a wrong one is (2.1: what is wanted)', () => {
  for (const [place, wrong] of [
    ['oauth.session_lifetime', 'soon'],
    ['oauth.bind_address', 'localhost'],
    ['gateway.public_url', 'share'],
    [`${P}.type`, 'saml'],
  ] as const) {
    const [absent] = faultsOf(changed(SOUND, place, ABSENT));
    assert.equal(absent?.wanted, faultsOf(changed(SOUND, place, wrong))[0]?.wanted, place);
    assert.notEqual(absent?.wanted, 'a text', place);
  }
});

for (const field of REQUIRED) {
  test(`oauth.${field} is required and has no default (contract 2.1)`, () => {
    const [fault, ...others] = faultsOf(changed(SOUND, `oauth.${field}`, ABSENT));
    assert.deepEqual(others, []);
    assert.equal(fault?.path, `oauth.${field}`);
    assert.equal(fault?.found, 'nothing');
  });
  test(`oauth.${field} left empty is as good as absent (contract 2.1)`, () => {
    assert.equal(faultsOf(changed(SOUND, `oauth.${field}`, null))[0]?.path, `oauth.${field}`);
  });
}

for (const field of ['name', 'type', 'client_id', 'client_secret', 'scopes', 'issuer', 'supports_pkce']) {
  test(`an oidc provider needs ${field} (contract 2.2)`, () => {
    assert.deepEqual(
      faultsOf(changed(SOUND, `${P}.${field}`, ABSENT)).map((fault) => fault.path),
      [`${P}.${field}`],
    );
  });
}
for (const section of [
  'gateway',
  'oauth',
  'control',
  'store',
  'gateway.bind_address',
  'gateway.public_url',
  'control.bind_address',
  'control.public_url',
  'store.url',
  'store.master_key_file',
]) {
  test(`${section} is required (DESIGN 2.1)`, () => {
    assert.deepEqual(
      faultsOf(changed(SOUND, section, ABSENT)).map((fault) => fault.path),
      [section],
    );
  });
}

test('parseConfig() tells all faults at once, in the order of the file (DESIGN 2.1)', () => {
  const value = [
    ['gateway.bind_address', 'x'] as const,
    ['oauth.cookie_name', '__Host-x'] as const,
    ['oauth.session_lifetime', 'x'] as const,
    [`${P}.type`, 'x'] as const,
    ['store.url', 'x'] as const,
  ].reduce((held, [path, part]) => changed(held, path, part), SOUND);
  const faults = faultsOf(value);
  assert.deepEqual(
    faults.map((fault) => fault.path),
    ['gateway.bind_address', 'oauth.cookie_name', 'oauth.session_lifetime', `${P}.type`, 'store.url'],
  );
  assert.deepEqual(Object.keys(faults[0] ?? {}).toSorted(), ['column', 'found', 'line', 'path', 'wanted']);
});

test('parseConfig() names line, column and the nearest key of an unknown one (DESIGN 2.1)', () => {
  const text = stringify(SOUND).replace('cookie_name', 'cookie_nam');
  const parsed = parseText(text);
  assert.ok('faults' in parsed);
  const line = text.split('\n').findIndex((row) => row.includes('cookie_nam:')) + 1;
  const fault = parsed.faults.find(({ path }) => path === 'oauth.cookie_nam');
  assert.deepEqual({ line: fault?.line, column: fault?.column }, { line, column: 3 });
  assert.match(fault?.wanted ?? '', /nearest is "cookie_name"/);
});

test('parseConfig() places a wrong value at the value (DESIGN 2.1)', () => {
  const text = stringify(SOUND).replace('session_lifetime: 6h', 'session_lifetime: 6x');
  const parsed = parseText(text);
  assert.ok('faults' in parsed);
  const line = text.split('\n').findIndex((row) => row.includes('6x')) + 1;
  assert.deepEqual(parsed.faults, [
    {
      path: 'oauth.session_lifetime',
      line,
      column: 21,
      found: '"6x"',
      wanted: 'a duration such as 6h, 1h30m, 90s or 30d',
    },
  ]);
});

test('no fault ever tells a secret', () => {
  const secret = 'hush-hush-hush';
  const places = [
    'oauth.signing_key',
    'oauth.encryption_key',
    `${P}.client_secret`,
    'oauth.signing_key_file',
  ];
  const shapes: readonly Value[] = [
    secret,
    [secret],
    { [secret]: 'x' },
    `${secret}\n${secret}`,
    `${secret}\u0007`,
  ];
  for (const place of places.slice(0, 3))
    for (const shape of [...shapes.slice(0, 2), ...shapes.slice(3)]) {
      const parsed = parseValue(changed(SOUND, place, shape));
      if ('faults' in parsed) assert.ok(!JSON.stringify(parsed.faults).includes(secret), place);
    }
  for (const text of [
    `oauth:\n  signing_key: "${secret}" x\n`,
    `signing_key: ${secret}: ${secret}\n`,
    `- "${secret}\n`,
    `a: {b: ${secret}`,
    `!${secret} x`,
    `a: *${secret}`,
  ]) {
    const parsed = parseText(text);
    assert.ok(
      'faults' in parsed &&
        !JSON.stringify(parsed.faults.map(({ found, wanted }) => [found, wanted])).includes(secret),
      text,
    );
  }
});

test('parseConfig() answers for any text, and never throws', () => {
  const line = fc.constantFrom(
    'oauth:',
    '  providers: [',
    '- ',
    '&a ',
    '*a',
    '{',
    '}',
    '"',
    'tls: off',
    ': ',
    '\t',
    '? ',
    '!!x ',
    '| ',
    '---',
    '%YAML 1.1',
    '<<: *a',
  );
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: anyCharacter }),
    fc.array(line).map((lines) => lines.join('\n')),
    fc.json(),
  );
  fc.assert(
    fc.property(text, (value) => {
      const parsed = parseText(value);
      assert.ok('faults' in parsed && parsed.faults.length > 0);
    }),
    { numRuns: 500 },
  );
});

test('any valid configuration is read as what it says', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9]{0,10}$/);
  const parts = fc.record({
    label: name,
    cookie: name,
    signing: key(32),
    encryption: key(24),
    hours: fc.integer({ min: 1, max: 999 }),
    port: fc.integer({ min: 1024, max: 60_000 }),
  });
  fc.assert(
    fc.property(parts, ({ label, cookie, signing, encryption, hours, port }) => {
      fc.pre(signing !== encryption);
      const domain = `${label}.example.com`;
      const value = (
        [
          ['gateway.public_url', `https://*.${domain}:${port}`],
          ['gateway.bind_address', `[::1]:${port}`],
          ['oauth.endpoint_url', `https://auth.${domain}`],
          ['oauth.cookie_domain', domain],
          ['oauth.cookie_name', cookie],
          ['oauth.session_lifetime', `${hours}h`],
          ['oauth.signing_key', signing],
          ['oauth.encryption_key', encryption],
        ] as const
      ).reduce((held: Value, [path, part]) => changed(held, path, part), SOUND);
      const { gateway, oauth } = soundOf(value);
      assert.deepEqual(gateway.publicUrl, { scheme: 'https', domain, port });
      assert.deepEqual(gateway.bindAddress, { host: '::1', port });
      assert.equal(oauth.cookieName, cookie);
      assert.equal(oauth.sessionLifetimeMs, hours * 3_600_000);
      assert.equal(oauth.keys.signingKey.reveal(), signing);
      assert.equal(oauth.keys.encryptionKey.reveal(), encryption);
    }),
    { numRuns: 100 },
  );
});

function key(length: number): fc.Arbitrary<string> {
  return fc.string({
    unit: fc.constantFrom(...'abcXYZ019 #:-"\'{}&*!|>%@`\\é'),
    minLength: length,
    maxLength: 64,
  });
}
