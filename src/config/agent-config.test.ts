// `agent.yaml`: every key is read, every fault told with its place, no secret with it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, stringify } from 'yaml';
import { ABSENT, changed, type Value } from '../../test/support/sound-config.ts';
import { newApiKey } from '../domain/api-key.ts';
import { parseAgentConfig } from './agent-config.ts';
import { AGENT_FIELDS, AGENT_SECTION_FIELDS, AGENT_SHARE_FIELDS } from './describe-agent.ts';
import type { Fields } from './describe.ts';

const KEY = newApiKey();
const exampleText = readFileSync(join(import.meta.dirname, '../../examples/agent.yaml'), 'utf8');
const example = parse(exampleText) as Value;
const SOUND: Value = {
  url: 'https://control.example.com',
  api_key: KEY.reveal(),
  shares: [{ name: 'wiki', target: '3000', oauth_provider: 'corp' }],
};

function readText(text: string) {
  return parseAgentConfig(text, {
    file: '/etc/doorward/agent.yaml',
    readFile: (path) => {
      if (path !== '/etc/doorward/agent.key') throw new Error('no such file');
      return Buffer.from(`${KEY.reveal()}\n`);
    },
  });
}

function read(value: Value) {
  return readText(stringify(value, { aliasDuplicateObjects: false }));
}

function pathsOf(value: Value): readonly string[] {
  const parsed = read(value);
  return 'faults' in parsed ? parsed.faults.map(({ path }) => path) : [];
}

test('agent.yaml says whether the key may go over plain http; it may not unless said', () => {
  for (const [value, allowed] of [
    [SOUND, false],
    [changed(SOUND, 'allow_plain_http', true), true],
  ] as const) {
    const parsed = read(value);
    assert.ok('config' in parsed);
    assert.equal(parsed.config.allowPlainHttp, allowed);
  }
});

test('agent.yaml names the files of a client certificate, from its own folder, and no key without one', () => {
  const withCertificate = changed(SOUND, 'client_certificate_file', 'robot.cert.pem');
  for (const [value, files] of [
    [SOUND, null],
    [withCertificate, { certificate: '/etc/doorward/robot.cert.pem', key: null }],
    [
      changed(withCertificate, 'client_key_file', '/keys/robot.pem'),
      { certificate: '/etc/doorward/robot.cert.pem', key: '/keys/robot.pem' },
    ],
  ] as const) {
    const parsed = read(value);
    assert.ok('config' in parsed);
    assert.deepEqual(parsed.config.certificateFiles, files);
  }
  assert.deepEqual(pathsOf(changed(SOUND, 'client_key_file', 'robot.key.pem')), ['client_key_file']);
});

test('examples/agent.yaml is sound, and has every key that there is', () => {
  const parsed = readText(exampleText);
  assert.ok('config' in parsed, JSON.stringify(parsed));
  const { url, apiKey, shares } = parsed.config;
  assert.deepEqual([url.href, apiKey?.reveal()], ['https://control.example.com/', KEY.reveal()]);
  assert.deepEqual(shares[0], {
    name: 'wiki',
    target: 'http://localhost:3000',
    insecure: false,
    settings: {
      oauthProvider: 'corp',
      oauthEmailAddressPatterns: ['*@example.com', 'ada@partner.example'],
      oauthCheckInterval: '1h',
      clientCertificate: { required: true, subject: '*@example.com', unit: 'Staff' },
      access: 'either',
      allowOrigins: ['https://app.example.com'],
      identity: ['groups', 'name'],
      hostHeader: 'target',
      description: 'Notes and decisions of the team',
      icon: 'globe',
      owner: 'ann@example.com',
      listed: true,
      allowGroups: ['eng-*', 'ops'],
      allowPaths: ['/healthz'],
      allowAddresses: ['10.0.0.0/8'],
      denyEmails: ['mallory@example.com'],
      accessRequests: true,
      rules: [
        { allow: { methods: ['POST'], paths: ['/api/*'], tokens: ['deploy-*'] } },
        { deny: { paths: ['/admin/*'], groups: ['contractors'] } },
      ],
    },
  });
  assert.deepEqual(shares[1]?.settings, { oauthProvider: ['corp', 'partners'] });
  assert.deepEqual(shares[2], {
    name: 'hooks',
    target: 'unix:/run/hooks.sock',
    insecure: false,
    settings: { open: true },
  });
  assert.deepEqual(given([example]), named(AGENT_FIELDS));
  const { shares: all } = example as { readonly shares: readonly Value[] };
  assert.deepEqual([...given(all)].toSorted(), [...named(AGENT_SHARE_FIELDS)].toSorted());
  const asked = all.map((each) => (each as { readonly client_certificate?: Value }).client_certificate ?? {});
  assert.deepEqual(given(asked), named(AGENT_SECTION_FIELDS['client_certificate'] ?? {}));
});

function given(holders: readonly Value[]): ReadonlySet<string> {
  return new Set(holders.flatMap((each) => Object.keys(each as object)));
}

function named(fields: Fields): ReadonlySet<string> {
  return new Set(Object.entries(fields).map(([key, { secret }]) => (secret === true ? `${key}_file` : key)));
}

for (const [path, fields] of [
  ['', AGENT_FIELDS],
  ['shares[0].', AGENT_SHARE_FIELDS],
] as const)
  for (const [key, { absent }] of Object.entries(fields as Fields)) {
    const place = `${path}${key}`;
    test(`agent.yaml without ${place} is ${absent === 'required' ? 'refused' : 'sound'}`, () => {
      const faults = pathsOf(changed(SOUND, place, ABSENT));
      assert.deepEqual(faults, absent === 'required' ? [place] : []);
    });
  }

const share = (more: object) => changed(SOUND, 'shares', [{ name: 'a', target: '1', ...more } as Value]);
const CERTIFICATE = 'shares[0].client_certificate';
const RULES = [{ allow: { providers: ['corp'] } }];
const FAULTY: readonly (readonly [string, Value, string])[] = [
  ['an unknown key', changed(SOUND, 'shers', []), 'shers'],
  ['an unknown key of a share', share({ traget: '1' }), 'shares[0].traget'],
  ['a plain address', changed(SOUND, 'url', 'http://control.example.com'), 'url'],
  ['an address with a path', changed(SOUND, 'url', 'https://control.example.com/v1'), 'url'],
  ['no share', changed(SOUND, 'shares', []), 'shares'],
  ['no list of shares', changed(SOUND, 'shares', 'wiki'), 'shares'],
  ['a share that is no mapping', changed(SOUND, 'shares', ['wiki']), 'shares[0]'],
  ['a name that no share may have', share({ name: 'Wiki' }), 'shares[0].name'],
  ['a number as target', share({ target: 3000 }), 'shares[0].target'],
  [
    'patterns without a provider',
    share({ oauth_email_address_patterns: ['*'] }),
    'shares[0].oauth_email_address_patterns',
  ],
  ['an interval without a provider', share({ oauth_check_interval: '1h' }), 'shares[0].oauth_check_interval'],
  [
    'a broken interval',
    share({ oauth_provider: 'corp', oauth_check_interval: '1x' }),
    'shares[0].oauth_check_interval',
  ],
  [
    'a broken pattern',
    share({ oauth_provider: 'corp', oauth_email_address_patterns: ['[z-a'] }),
    'shares[0].oauth_email_address_patterns[0]',
  ],
  ['an empty list of providers', share({ oauth_provider: [] }), 'shares[0].oauth_provider'],
  [
    'too many providers',
    share({ oauth_provider: Array.from({ length: 21 }, (_, index) => `p${index}`) }),
    'shares[0].oauth_provider',
  ],
  ['no name of a provider', share({ oauth_provider: ['corp', 'A'] }), 'shares[0].oauth_provider[1]'],
  ['a text as client_certificate', share({ client_certificate: 'yes' }), `${CERTIFICATE}`],
  ['an empty client_certificate', share({ client_certificate: null }), `${CERTIFICATE}`],
  ['a certificate without required', share({ client_certificate: {} }), `${CERTIFICATE}.required`],
  ['a text for required', share({ client_certificate: { required: 'yes' } }), `${CERTIFICATE}.required`],
  [
    'an unknown key of a certificate',
    share({ client_certificate: { required: true, subjct: 'a' } }),
    `${CERTIFICATE}.subjct`,
  ],
  ['a broken glob', share({ client_certificate: { required: true, unit: 'a\\' } }), `${CERTIFICATE}.unit`],
  [
    'a glob without a certificate',
    share({ client_certificate: { required: false, subject: '*' } }),
    `${CERTIFICATE}.subject`,
  ],
  ['an unknown access', share({ access: 'any' }), 'shares[0].access'],
  [
    'a choice without a certificate',
    share({ oauth_provider: 'corp', access: 'either', client_certificate: { required: false } }),
    'shares[0].access',
  ],
  [
    'a choice without a login',
    share({ access: 'either', client_certificate: { required: true } }),
    'shares[0].access',
  ],
  ['both open and a login', share({ open: true, oauth_provider: 'corp' }), 'shares[0].open'],
  [
    'both open and a certificate',
    share({ open: true, client_certificate: { required: true } }),
    'shares[0].open',
  ],
  ['a group beside rules', share({ rules: RULES, allow_groups: ['x'] }), 'shares[0].allow_groups'],
  ['a text for open', share({ open: 'yes' }), 'shares[0].open'],
  ['an origin with a path', share({ allow_origins: ['https://a.example/x'] }), 'shares[0].allow_origins[0]'],
  ['a text for insecure', share({ insecure: 'yes' }), 'shares[0].insecure'],
  ['both forms of the key', changed(SOUND, 'api_key_file', 'agent.key'), 'api_key_file'],
];
for (const [what, value, path] of FAULTY)
  test(`agent.yaml with ${what} is refused, with its place`, () => assert.deepEqual(pathsOf(value), [path]));

test('agent.yaml opens a share to everyone where it says so alone', () => {
  for (const [value, open] of [
    [SOUND, undefined],
    [share({ open: true }), true],
  ] as const) {
    const parsed = readText(JSON.stringify(value));
    assert.ok('config' in parsed);
    assert.equal(parsed.config.shares[0]?.settings.open, open);
  }
});

test('agent.yaml with one name twice is refused at the second', () => {
  const one = { name: 'wiki', target: '3000' };
  assert.deepEqual(pathsOf(changed(SOUND, 'shares', [one, one])), ['shares[1].name']);
});

test('agent.yaml: all faults are told at once, with line and column, and never the key', () => {
  const text = 'url: nowhere\napi_key: dw_secret-of-nobody\nshares:\n  - name: wiki\n    target: ""\n';
  const parsed = readText(text);
  assert.ok('faults' in parsed);
  assert.deepEqual(
    parsed.faults.map(({ path, line, column }) => `${path} ${line}:${column}`),
    ['url 1:6', 'api_key 2:10', 'shares[0].target 5:13'],
  );
  assert.ok(!JSON.stringify(parsed).includes('secret-of-nobody'));
});

test('rules that name providers are a login in agent.yaml, too, and open: true may stand beside a login and rules (2.3)', () => {
  const open = [{ allow: { everyone: true } }];
  for (const settings of [
    { rules: RULES, oauth_check_interval: '1h' },
    { rules: open, open: true },
    { rules: open, oauth_provider: 'corp', open: true },
  ])
    assert.deepEqual(pathsOf(share(settings)), []);
});
