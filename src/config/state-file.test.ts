// State files: what they say, and what is wrong with them where it stands.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountState } from '../wire/state.ts';
import { SETTINGS, snakeCase } from '../domain/share-values.ts';
import { describeFault } from './config-fault.ts';
import { STATE_SHARE_FIELDS } from './describe-state.ts';
import { parseState } from './state-file.ts';
import { stateText } from './state-text.ts';

const SOURCE = {
  file: '/etc/doorward/state.yaml',
  readFile: (path: string) => {
    if (path === '/etc/doorward/secret') return Buffer.from('from-a-file\n');
    throw new Error('ENOENT');
  },
  env: { CORP: 'from-a-variable', EMPTY: '' },
};

const PROVIDER = `providers:
  - name: corp
    type: OIDC
    client_id: doorward
    issuer_url: https://id.example.com
    scopes: [openid, email]
`;

test('each setting of a share is described as what it is: those that are on or off, and no other, as booleans', () => {
  for (const [name, { kind }] of SETTINGS) {
    const isSwitch = kind === 'switch' || kind === 'confirmation';
    assert.equal(STATE_SHARE_FIELDS[snakeCase(name)]?.type === 'boolean', isSwitch, name);
  }
  const owned = parseState(
    'shares: [{ name: wiki, target: "http://10.0.0.5:1", oauth_provider: corp, owner: ann@example.com }]',
    SOURCE,
  );
  assert.ok('state' in owned, JSON.stringify(owned));
  assert.equal(owned.state.shares?.[0]?.owner, 'ann@example.com');
});

test('parseState() takes every section under the names of the API, and none that is not there', () => {
  const text = `${PROVIDER}    login_parameters: { hd_x: example.com }
    client_secret: { env: CORP }
shares:
  - name: wiki
    target: http://10.0.0.5:3000
    oauth_provider: corp
    enabled: false
    rules:
      - allow: { providers: [corp], max_age: 8h }
  - { name: laptop, tunnel: reserved, open: true }
hosts: [{ host: wiki.example.com, share: wiki }]
tokens: [{ name: bot, shares: [wiki], expires_in: 90d }]
webhooks: [{ url: https://hooks.example.com, secret: { file: secret } }]
certificate_policy: { max_validity: 90d, renewal_by_login: true }
`;
  const parsed = parseState(text, SOURCE);
  assert.ok('state' in parsed, JSON.stringify(parsed));
  assert.deepEqual(parsed.state, {
    providers: [
      {
        name: 'corp',
        type: 'OIDC',
        config: {
          clientId: 'doorward',
          issuerUrl: 'https://id.example.com',
          scopes: ['openid', 'email'],
          loginParameters: { hd_x: 'example.com' },
          clientSecret: 'from-a-variable',
        },
      },
    ],
    shares: [
      {
        name: 'wiki',
        target: 'http://10.0.0.5:3000',
        oauthProvider: 'corp',
        enabled: false,
        rules: [{ allow: { providers: ['corp'], max_age: '8h' } }],
      },
      { name: 'laptop', tunnel: 'reserved', open: true },
    ],
    hosts: [{ host: 'wiki.example.com', share: 'wiki' }],
    tokens: [{ name: 'bot', shares: ['wiki'], expiresIn: '90d' }],
    webhooks: [{ url: 'https://hooks.example.com', secret: 'from-a-file' }],
    certificatePolicy: { maxValidity: '90d', renewalByLogin: true },
  });
  assert.deepEqual(parsed.locate('state.providers.0.config.issuerUrl'), {
    path: 'providers[0].issuer_url',
    line: 5,
    column: 17,
  });
  assert.deepEqual(parsed.locate('state.shares.0.rules'), { path: 'shares[0].rules', line: 14, column: 5 });
  assert.deepEqual(Object.keys(stateIn('shares: []\n')), ['shares']);
});

const FAULTY: readonly (readonly [text: string, ...found: readonly string[]])[] = [
  ['share: []\n', 's:1:1 share: found the unknown key "share"; wanted a known key; the nearest is "shares"'],
  ['shares: {}\n', 's:1:1 shares: found no list; wanted a list; [] for none'],
  [
    'shares:\n  - name: a\n    target: http://a:1\n    oauth_providr: corp\n',
    's:4:5 shares[0].oauth_providr: found the unknown key "oauth_providr"; wanted a known key; the nearest is "oauth_provider"',
  ],
  [
    'shares:\n  - name: a\n    open: true\n',
    's:2:5 shares[0]: found neither target, tunnel nor behind; wanted',
  ],
  [
    'shares:\n  - name: a\n    target: http://a:1\n    oauth_check_interval: soon\n',
    's:4:27 shares[0].oauth_check_interval: found "soon"; wanted',
  ],
  [
    `${PROVIDER}    base_url: https://x.example.com\n`,
    's:7:5 providers[0].base_url: found the unknown key "base_url"',
  ],
  [
    PROVIDER.replace('OIDC', 'oidc'),
    's:3:11 providers[0].type: found "oidc"; wanted one of GOOGLE, GITHUB, OIDC; the nearest is "OIDC"',
  ],
  [
    `${PROVIDER}    client_secret: sesame\n`,
    's:7:20 providers[0].client_secret: found a text; wanted { env: NAME } or { file: PATH }',
  ],
  [
    `${PROVIDER}    client_secret: { env: NONE }\n`,
    's:7:27 providers[0].client_secret.env: found the variable "NONE", which is not set',
  ],
  [
    `${PROVIDER}    client_secret: { env: EMPTY }\n`,
    's:7:27 providers[0].client_secret.env: found the variable "EMPTY", which is empty',
  ],
  [
    `${PROVIDER}    client_secret: { file: none }\n`,
    's:7:28 providers[0].client_secret.file: found the file "none", which cannot be read',
  ],
  [
    `${PROVIDER}    client_secret: { env: CORP, file: secret }\n`,
    's:7:5 providers[0].client_secret: found another form',
  ],
  ['shares:\n  - &a { name: a }\n  - *a\n', 's:2:8 shares[0]: found an anchor'],
];

for (const [text, ...found] of FAULTY)
  test(`parseState() refuses ${JSON.stringify(text.slice(-40))} with its place`, () => {
    const parsed = parseState(text, SOURCE);
    assert.ok('faults' in parsed);
    const lines = parsed.faults.map((fault) => describeFault('s', fault));
    for (const [index, line] of found.entries())
      assert.ok(lines[index]?.startsWith(line), `${lines.join('\n')}\n${line}`);
    assert.doesNotMatch(lines.join(), /sesame/);
  });

test('stateText() is read back as it was, whatever the texts look like', () => {
  const state: AccountState = {
    providers: [
      {
        name: 'corp',
        type: 'OIDC',
        config: {
          clientId: '0x10',
          issuerUrl: 'https://id.example.com',
          scopes: ['openid', 'email'],
          displayName: 'no: "quotes" # or so',
          trustedAuthorities: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
        },
      },
    ],
    shares: [
      {
        name: '1e3',
        target: 'http://10.0.0.5:3000',
        clientCertificate: { required: true, subject: '*.ci' },
        rules: [
          { deny: { until: '2027-01-31' } },
          { allow: { providers: ['corp'], claims: { some_claim: ['~'] } } },
        ],
      },
    ],
    hosts: [],
    tokens: [{ name: 'true', shares: ['1e3'], expiresAt: '2027-01-31T00:00:00.000Z' }],
    webhooks: [{ name: ' * ', url: 'https://hooks.example.com/?a=b#', kinds: ['share.created'] }],
    certificatePolicy: { maxValidity: '90d' },
  };
  const text = stateText(state);
  assert.deepEqual(stateIn(text), state);
  assert.match(text, /^# The state of a Doorward account/);
  assert.match(text, /\n {4}# client_secret: \{ env: CORP_CLIENT_SECRET \}\n/);
  assert.equal(stateText(stateIn(text)), text);
  assert.match(stateText({ shares: [] }), /# Left out, .*: providers, hosts, tokens, webhooks\.\n/);
});

function stateIn(text: string): AccountState {
  const parsed = parseState(text, SOURCE);
  assert.ok('state' in parsed, JSON.stringify(parsed));
  return parsed.state;
}
