// What is described is what the readers take: every key, whether it may be absent, what holds then, and the
// example.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { createClientKey } from '../../test/support/client-keys.ts';
import { createTestAuthority } from '../../test/support/certificates.ts';
import { ABSENT, changed, faultsOf, soundOf, type Value } from '../../test/support/sound-config.ts';
import {
  BRAND_FIELDS,
  CONTROL_FIELDS,
  FORWARD_AUTH_FIELDS,
  type Field,
  type Fields,
  GATEWAY_FIELDS,
  KEY_PAIR_FIELDS,
  keysOf,
  LIMIT_FIELDS,
  LOG_FIELDS,
  METRICS_FIELDS,
  OPERATOR_FIELDS,
  TRACING_FIELDS,
  PKI_FIELDS,
  OAUTH_FIELDS,
  STORE_FIELDS,
  TLS_FIELDS,
  TOP_FIELDS,
  TUNNEL_FIELDS,
} from './describe.ts';
import { ACME_FIELDS, DNS_PROVIDER_FIELDS, EAB_FIELDS } from './describe-acme.ts';
import { OWN_PROVIDER_FIELDS, PROVIDER_ENTRY_FIELDS } from './describe-provider.ts';

/** Where the example has each section. */
const SECTIONS: Readonly<Record<string, Fields>> = {
  '': TOP_FIELDS,
  'tls[0].': TLS_FIELDS,
  'acme.': ACME_FIELDS,
  'acme.eab.': EAB_FIELDS,
  'acme.dns.': DNS_PROVIDER_FIELDS.rfc2136,
  'gateway.': GATEWAY_FIELDS,
  'oauth.': OAUTH_FIELDS,
  'oauth.previous_keys[0].': KEY_PAIR_FIELDS,
  'oauth.providers[0].': { ...PROVIDER_ENTRY_FIELDS, ...OWN_PROVIDER_FIELDS.oidc },
  'oauth.providers[1].': { ...PROVIDER_ENTRY_FIELDS, ...OWN_PROVIDER_FIELDS.google },
  'oauth.providers[2].': { ...PROVIDER_ENTRY_FIELDS, ...OWN_PROVIDER_FIELDS.github },
  'control.': CONTROL_FIELDS,
  'control.operators[0].': OPERATOR_FIELDS,
  'forward_auth.': FORWARD_AUTH_FIELDS,
  'tunnel.': TUNNEL_FIELDS,
  'store.': STORE_FIELDS,
  'pki.': PKI_FIELDS,
  'metrics.': METRICS_FIELDS,
  'tracing.': TRACING_FIELDS,
  'brand.': BRAND_FIELDS,
  'limits.': LIMIT_FIELDS,
  'log.': LOG_FIELDS,
};

const example = parse(
  readFileSync(join(import.meta.dirname, '../../examples/doorward.yaml'), 'utf8'),
) as Value;
const authority = createTestAuthority();
after(() => authority.dispose());
const EAB_KEY = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W';
/** What the example names, beside `/etc/doorward/doorward.yaml`. */
const files = {
  ...Object.fromEntries(
    ['signing', 'encryption', 'signing.old', 'encryption.old'].map((name) => [
      `/etc/doorward/keys/${name}.key`,
      `the ${name} key of thirty-two characters or more\n`,
    ]),
  ),
  ...Object.fromEntries(
    ['corp', 'google', 'github', 'tsig'].map((name) => [
      `/etc/doorward/keys/${name}.secret`,
      `${name} secret of some length`,
    ]),
  ),
  '/etc/doorward/keys/eab.secret': EAB_KEY,
  '/etc/doorward/keys/forward-auth.secret': 'a-secret-of-thirty-two-characters-or-more',
  '/etc/doorward/keys/partner.pem': createClientKey('P-256').pem,
  '/etc/doorward/logo.svg': '<svg/>',
  '/etc/doorward/tls/corp-ca.pem': authority.ca,
};

test('examples/doorward.yaml is sound', () => {
  const config = soundOf(example, files);
  assert.deepEqual(
    config.oauth.providers.map(({ name }) => name),
    ['corp', 'google', 'github', 'partner'],
  );
  assert.equal(config.oauth.providers[3]?.clientKey?.keyId, 'doorward-1');
});

for (const [path, fields] of Object.entries(SECTIONS)) {
  const where = path === '' ? 'at the top' : `in ${path.slice(0, -1)}`;

  test(`the keys that are taken ${where} are those that are described`, () => {
    const [fault] = faultsOf(changed(example, `${path}zzzzzzzzzz`, 'anything'), files);
    assert.equal(fault?.wanted, `one of ${keysOf(fields).join(', ')}`);
  });

  for (const [key, field] of Object.entries<Field>(fields)) {
    const written = writtenKey(path, key, field);

    test(`${path}${key} is read, and in the example unless it turns TLS off or is of a private key`, () => {
      // A client has a secret or a private key: those of the first provider and the last.
      if (written === null) assert.match(key, /^(?:tls|client_private_key_file|client_key_id)$/);
      const found = faultsOf(changed(example, `${path}${written ?? key}`, { no: ['such', 'thing'] }), files);
      assert.ok(
        found.some((fault) => fault.path.startsWith(`${path}${written ?? key}`)),
        JSON.stringify(found),
      );
    });

    test(`${path}${key}: ${absentText(field)}`, () => {
      const without = changed(example, `${path}${written ?? key}`, ABSENT);
      if (field.absent === 'required') {
        assert.ok(faultsOf(without, files).some((fault) => fault.path === `${path}${key}`));
        return;
      }
      const config = soundOf(without, files);
      if ('default' in field.absent) {
        const value = field.absent.default as Value;
        const said = soundOf(changed(example, `${path}${key}`, value), files);
        // All but what the file itself says.
        assert.deepEqual({ ...config, written: said.written }, said);
        assert.equal(config.written.has(`${path}${key}`), false);
        const ofList = path.includes('[') || path.startsWith('acme.dns');
        assert.equal(said.written.get(`${path}${key}`)?.isDefault, ofList ? null : true);
      }
    });

    if (field.secret === true)
      test(`${path}${key} may be given as ${key}_file, or as it is`, () => {
        const inline = changed(
          changed(example, `${path}${key}_file`, ABSENT),
          `${path}${key}`,
          INLINE[key] ?? '',
        );
        soundOf(inline, files);
      });
  }
}

/** The name that the example uses; null when it leaves the key out. */
function writtenKey(path: string, key: string, field: Field): string | null {
  const keys = field.secret === true ? [key, `${key}_file`] : [key];
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  const section = steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], example);
  return keys.find((each) => Object.hasOwn(section as object, each)) ?? null;
}

function absentText({ absent }: Field): string {
  if (absent === 'required') return 'required';
  return 'default' in absent ? `absent is ${JSON.stringify(absent.default)}` : 'may be absent';
}

const INLINE: Readonly<Record<string, string>> = {
  hmac_key: EAB_KEY,
  secret: 'a-secret-of-thirty-two-characters-or-more',
  key_secret: 'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz',
  signing_key: 'a signing key of thirty-two characters or more',
  encryption_key: 'an encryption key of twenty-four or more',
  client_secret: 'a client secret',
  url: 'postgres://doorward:secret@127.0.0.1:5432/doorward',
};
