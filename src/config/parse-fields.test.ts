// Every field of `doorward.yaml` in sound and in faulty shapes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  changed,
  faultsOf,
  P,
  SIGNING_KEY,
  SOUND,
  soundOf,
  type Value,
} from '../../test/support/sound-config.ts';
import type { Config } from './config.ts';

const FAULTY: readonly (readonly [path: string, value: Value, at?: string])[] = [
  ['gateway.bind_address', '0.0.0.0'],
  ['gateway.bind_address', '0.0.0.0:'],
  ['gateway.bind_address', '0.0.0.0:0'],
  ['gateway.bind_address', '0.0.0.0:65536'],
  ['gateway.bind_address', '0.0.0.0:080'],
  ['gateway.bind_address', 'localhost:80'],
  ['gateway.bind_address', '127.1:80'],
  ['gateway.bind_address', '::1:80'],
  ['gateway.bind_address', '[::1]'],
  ['gateway.bind_address', '[127.0.0.1]:80'],
  ['gateway.bind_address', ':80'],
  ['gateway.bind_address', 8080],
  ['gateway.public_url', 'https://share.example.com'],
  ['gateway.public_url', 'https://*.share.example.com/x'],
  ['gateway.public_url', 'https://*.*.example.com'],
  ['gateway.public_url', 'https://u:p@*.share.example.com'],
  ['gateway.public_url', 'http://*.share.example.com'],
  ['gateway.public_url', 'https://*.127.0.0.1'],
  ['gateway.public_url', 'https://*.share.example.com:0'],
  ['gateway.workers', 0],
  ['gateway.workers', 1.5],
  ['gateway.workers', '2'],
  ['gateway.workers', 65],
  ['gateway.trusted_proxies', '10.0.0.0/8'],
  ['gateway.trusted_proxies', ['10.0.0.1/8'], 'gateway.trusted_proxies[0]'],
  ['gateway.trusted_proxies', ['::1', 'localhost'], 'gateway.trusted_proxies[1]'],
  ['gateway.trusted_proxies', ['10.0.0.1:80'], 'gateway.trusted_proxies[0]'],
  ['gateway.direct_targets', ['http://127.0.0.1'], 'gateway.direct_targets[0]'],
  ['gateway.direct_targets', ['127.0.0.1:0'], 'gateway.direct_targets[0]'],
  ['gateway.identity_header_prefix', 'svc-auth'],
  ['gateway.identity_header_prefix', 'SVC-'],
  ['gateway.identity_header_prefix', '-'],
  ['gateway.identity_header_prefix', 'x-'],
  ['gateway.identity_header_prefix', 'sec-'],
  ['gateway.tls', 'on'],
  ['gateway.tls', true],
  ['oauth.bind_address', '0.0.0.0:99999'],
  ['oauth.endpoint_url', 'auth.share.example.com'],
  ['oauth.endpoint_url', 'https://auth.share.example.com/x'],
  ['oauth.endpoint_url', 'https://auth.share.example.com/?x'],
  ['oauth.endpoint_url', 'https://auth.share.example.com?'],
  ['oauth.endpoint_url', 'https://auth.share.example.com/#'],
  ['oauth.endpoint_url', 'https://user:pass@auth.share.example.com'],
  ['oauth.endpoint_url', 'https:auth.share.example.com'],
  ['oauth.endpoint_url', 'https://auth share.example.com'],
  ['oauth.endpoint_url', 'https:\\\\auth.share.example.com'],
  ['oauth.endpoint_url', 'ftp://auth.share.example.com'],
  ['oauth.endpoint_url', 'http://auth.share.example.com'],
  ['oauth.cookie_name', ''],
  ['oauth.cookie_name', 'a b'],
  ['oauth.cookie_name', 'a=b'],
  ['oauth.cookie_name', 'a;b'],
  ['oauth.cookie_name', 'a,b'],
  ['oauth.cookie_name', 'é'],
  ['oauth.cookie_name', 'a'.repeat(65)],
  ['oauth.cookie_name', '__Host-session'],
  ['oauth.cookie_name', '__host-session'],
  ['oauth.cookie_name', '__Secure-session'],
  ['oauth.cookie_name', 'svc-auth-bind'],
  ['oauth.cookie_name', 'SVC-auth-browser'],
  ['oauth.bind_address', '127.0.0.1:443'],
  ['oauth.bind_address', '[::]:443'],
  ['oauth.cookie_name', 'svc-auth-attempt-x'],
  ['oauth.cookie_name', 'svc-auth-consent'],
  ['oauth.cookie_domain', 'com'],
  ['oauth.cookie_domain', 'co.uk'],
  ['oauth.cookie_domain', 'github.io'],
  ['oauth.cookie_domain', '.com'],
  ['oauth.cookie_domain', '127.0.0.1'],
  ['oauth.cookie_domain', 'https://share.example.com'],
  ['oauth.cookie_domain', 'other.example.com'],
  ['oauth.cookie_domain', 'hare.example.com'],
  ['oauth.session_lifetime', '6h foo'],
  ['oauth.session_lifetime', '0s'],
  ['oauth.session_lifetime', 6],
  ['oauth.intermediate_lifetime', '5 m'],
  ['oauth.signing_key', 's'.repeat(31)],
  ['oauth.signing_key', `${'s'.repeat(31)}\n`],
  ['oauth.encryption_key', 'e'.repeat(23)],
  ['oauth.encryption_key', SIGNING_KEY],
  ['oauth.encryption_key', 123],
  ['oauth.providers', []],
  ['oauth.providers', {}],
  ['oauth.providers', ['corp'], P],
  ['oauth.logout_redirect_hosts', ['*'], 'oauth.logout_redirect_hosts[0]'],
  ['oauth.logout_redirect_hosts', ['a.com', 'https://a.com'], 'oauth.logout_redirect_hosts[1]'],
  ['oauth.logout_redirect_hosts', ['*example.com'], 'oauth.logout_redirect_hosts[0]'],
  [
    'oauth.previous_keys',
    [{ signing_key: SIGNING_KEY, encryption_key: 'e'.repeat(24) }],
    'oauth.previous_keys[0].signing_key',
  ],
  ['oauth.previous_keys', [{ signing_key: 's'.repeat(32) }], 'oauth.previous_keys[0].encryption_key'],
  [`${P}.name`, 'Corp'],
  [`${P}.name`, 'corp_1'],
  [`${P}.name`, '.well-known'],
  [`${P}.name`, 'c'.repeat(41)],
  [`${P}.name`, 'v1'],
  [`${P}.name`, 'pki'],
  [`${P}.type`, 'OIDC'],
  [`${P}.type`, 'saml'],
  [`${P}.scopes`, ['openid', 'profile']],
  [`${P}.scopes`, ['email', 'profile']],
  [`${P}.scopes`, ['openid email'], `${P}.scopes[0]`],
  [`${P}.scopes`, ['openid', 'email', 'email']],
  [`${P}.scopes`, []],
  [`${P}.scopes`, 'openid email'],
  [`${P}.issuer`, 'http://id.example.com'],
  [`${P}.issuer`, 'https://id.example.com?x=1'],
  [`${P}.issuer`, 'https://id.example.com#x'],
  [`${P}.issuer`, 'https://u:p@id.example.com'],
  [`${P}.issuer`, 'id.example.com'],
  [`${P}.supports_pkce`, 'yes'],
  [`${P}.require_verified_email`, 'true'],
  [`${P}.prompt`, 'none'],
  [`${P}.prompt`, 'login none'],
  [`${P}.base_url`, 'https://x.example.com'],
  ['control.public_url', 'http://control.example.com'],
  ['control.public_url', 'https://control.example.com/v1'],
  ['control.public_url', 'https://auth.share.example.com'],
  ['control.client_certificates', 'maybe'],
  ['control.bind_address', '127.0.0.1:8081'],
  ['store.url', 'postgres://u:p@db'],
  ['store.url', 'postgres://u:p@db/x?ssl=true'],
  ['store.url', 'mysql://db/x'],
  ['store.url', 'sqlite:'],
  ['store.url', 'sqlite::memory:'],
  ['store.outage_grace', 'soon'],
  ['store.ended_retention', 'for ever'],
  ['store.audit_retention', 'for ever'],
  ['metrics', { bind_address: '127.0.0.1:8282' }, 'metrics.bind_address'],
  ['metrics', { bind_address: '0.0.0.0:443' }, 'metrics.bind_address'],
  ['metrics', { bind_address: '127.0.0.1:443' }, 'metrics.bind_address'],
  ['metrics', { bind_address: '[::]:8282' }, 'metrics.bind_address'],
  ['metrics', null],
  ['tunnel', { bind_address: '0.0.0.0:8383' }, 'tunnel.public_url'],
  ['allow_plain_http', 'yes'],
  ['tls', 'off'],
  ['tls', [{ certificate_file: 'a.pem' }], 'tls[0].key_file'],
  ['log', { level: 'loud' }, 'log.level'],
  ['log', { access: 'no' }, 'log.access'],
  ['brand', { name: 'x'.repeat(61) }, 'brand.name'],
  ['brand', { contact: 'javascript:alert(1)' }, 'brand.contact'],
  ['brand', { logo_file: 'logo.exe' }, 'brand.logo_file'],
  ['brand', { logo_file: 'missing.svg' }, 'brand.logo_file'],
];
describe('parseConfig() refuses (DESIGN 2.1; contract 2.1, 2.2, 8)', () => {
  for (const [path, value, at = path] of FAULTY) {
    test(`${path} ${JSON.stringify(value).slice(0, 60)}`, () => {
      const faults = faultsOf(changed(SOUND, path, value));
      assert.ok(
        faults.some((fault) => fault.path === at),
        JSON.stringify(faults),
      );
      assert.ok(
        faults.every((fault) => fault.path.startsWith(path.split('[')[0] ?? '')),
        JSON.stringify(faults),
      );
      assert.ok(
        faults.every(
          (fault) => fault.line >= 1 && fault.column >= 1 && fault.found !== '' && fault.wanted !== '',
        ),
      );
    });
  }
});

type Check = (config: Config) => unknown;
const TAKEN: readonly (readonly [path: string, value: Value, of: Check, expected: unknown])[] = [
  ['gateway.bind_address', '[::]:80', (c) => c.gateway.bindAddress, { host: '::', port: 80 }],
  ['gateway.bind_address', '0.0.0.0:80', (c) => c.gateway.bindAddress, { host: '0.0.0.0', port: 80 }],
  [
    'gateway.public_url',
    'https://*.Share.Example.com:8443/',
    (c) => c.gateway.publicUrl,
    { scheme: 'https', domain: 'share.example.com', port: 8443 },
  ],
  ['gateway.workers', 4, (c) => c.gateway.workers, 4],
  ['gateway.trusted_proxies', ['10.0.0.0/8', '::1'], (c) => c.gateway.trustedProxies, ['10.0.0.0/8', '::1']],
  [
    'gateway.direct_targets',
    ['127.0.0.1:3000', 'localhost'],
    (c) => c.gateway.directTargets,
    ['127.0.0.1:3000', 'localhost'],
  ],
  ['gateway.identity_header_prefix', 'x-corp-', (c) => c.gateway.identityHeaderPrefix, 'x-corp-'],
  ['oauth.bind_address', '0.0.0.0:443', (c) => c.oauth.bindAddress.port, 443],
  [
    'oauth.endpoint_url',
    'https://auth.share.example.com:8443/',
    (c) => c.oauth.endpointUrl.href,
    'https://auth.share.example.com:8443/',
  ],
  ['oauth.cookie_domain', '.share.example.com', (c) => c.oauth.cookieDomain, 'share.example.com'],
  ['oauth.cookie_domain', 'Example.com', (c) => c.oauth.cookieDomain, 'example.com'],
  ['oauth.session_lifetime', '1h30m', (c) => c.oauth.sessionLifetimeMs, 5_400_000],
  ['oauth.logout_redirect_hosts', ['*.Example.com'], (c) => c.oauth.logoutRedirectHosts, ['*.example.com']],
  ['oauth.logout_redirect_hosts', [], (c) => c.oauth.logoutRedirectHosts, []],
  [`${P}.prompt`, 'login select_account', (c) => c.oauth.providers[0]?.prompt, 'login select_account'],
  [`${P}.prompt`, '', (c) => c.oauth.providers[0]?.prompt, ''],
  [`${P}.rp_initiated_logout`, true, (c) => c.oauth.providers[0]?.rpInitiatedLogout, true],
  [`${P}.require_verified_email`, true, (c) => c.oauth.providers[0]?.requireVerifiedEmail, true],
  [`${P}.supports_pkce`, false, (c) => c.oauth.providers[0]?.supportsPkce, false],
  [
    `${P}.issuer`,
    'https://id.example.com/realms/x/',
    (c) => c.oauth.providers[0]?.issuer,
    'https://id.example.com/realms/x/',
  ],
  [`${P}.issuer`, 'http://127.0.0.1:9000', (c) => c.oauth.providers[0]?.issuer, 'http://127.0.0.1:9000'],
  ['control.public_url', 'http://127.0.0.1:8282', (c) => c.control.publicUrl.href, 'http://127.0.0.1:8282/'],
  [
    'control.public_url',
    'http://control.localhost:8282',
    (c) => c.control.publicUrl.href,
    'http://control.localhost:8282/',
  ],
  ['store.url', 'sqlite:///var/lib/d.db', (c) => c.store.engine, { kind: 'sqlite', file: '/var/lib/d.db' }],
  ['store.url', 'sqlite:/var/lib/d.db', (c) => c.store.engine, { kind: 'sqlite', file: '/var/lib/d.db' }],
  ['store.url', 'postgres://u:p@db/x', (c) => postgresUrl(c), 'postgres://u:p@db/x'],
  [
    'store.url',
    'postgres://u:p@db/x?sslrootcert=tls/ca.pem',
    (c) => postgresUrl(c),
    'postgres://u:p@db/x?sslrootcert=%2Fetc%2Fdoorward%2Ftls%2Fca.pem',
  ],
  ['store.outage_grace', '10s', (c) => c.store.outageGraceMs, 10_000],
  ['store.ended_retention', '3d', (c) => c.store.endedRetentionMs, 3 * 86_400_000],
  ['store.audit_retention', '30d', (c) => c.store.auditRetentionMs, 30 * 86_400_000],
  ['metrics', { bind_address: '127.0.0.1:9464' }, (c) => c.metrics?.bindAddress.port, 9464],
  ['log', { level: 'debug', access: false }, (c) => c.log, { level: 'debug', access: false }],
  [
    'brand',
    { name: 'Acme', contact: 'help@acme.com' },
    (c) => c.brand,
    { name: 'Acme', logo: null, contact: 'help@acme.com' },
  ],
];
describe('parseConfig() takes (DESIGN 2.1)', () => {
  for (const [path, value, of, expected] of TAKEN) {
    test(`${path} ${JSON.stringify(value)}`, () => {
      assert.deepEqual(of(soundOf(changed(SOUND, path, value))), expected);
    });
  }
});

for (const domain of ['com', '.co.uk', 'github.io', 'internal']) {
  test(`oauth.cookie_domain ${domain} is refused as a public suffix (DESIGN 2.1)`, () => {
    const faults = faultsOf(changed(SOUND, 'oauth.cookie_domain', domain));
    assert.ok(faults.some((fault) => fault.wanted.startsWith('a domain of your own')));
  });
}

function postgresUrl({ store }: Config): string | null {
  return store.engine.kind === 'postgres' ? store.engine.url.reveal() : null;
}
