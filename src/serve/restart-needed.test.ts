import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, SOUND, soundOf, type Value } from '../../test/support/sound-config.ts';
import { RESTART_SETTINGS, restartNeeded, withoutRestart } from './restart-needed.ts';

const ACME = { email: 'ops@example.com', agree_to_terms: true };
/** One other value for each setting that is bound to something. */
const OTHERS: Readonly<Record<string, Value>> = {
  acme: ACME,
  'gateway.bind_address': '0.0.0.0:8443',
  'gateway.public_url': 'https://*.share.example.com:8443',
  'gateway.workers': 3,
  'oauth.bind_address': '127.0.0.1:9081',
  'control.bind_address': '127.0.0.1:9282',
  'control.client_certificates': 'optional',
  tunnel: { bind_address: '0.0.0.0:8383', public_url: 'https://tunnel.example.com:8383' },
  'store.url': 'sqlite:elsewhere.db',
  'store.master_key_file': 'other.key',
  pki: { bind_address: '0.0.0.0:80', public_url: 'http://pki.example.com' },
  metrics: { bind_address: '127.0.0.1:9464' },
  tracing: { otlp_endpoint: 'http://127.0.0.1:4318' },
  'log.level': 'debug',
};
const TLS = [{ certificate_file: 'chain.pem', key_file: 'key.pem' }];
/** With certificates, without which none are asked of clients. */
const BASE = changed(changed(SOUND, 'log', {}), 'tls', TLS);
const running = soundOf(BASE);

for (const path of RESTART_SETTINGS) {
  test(`restartNeeded() names ${path}, and withoutRestart() leaves it as it was (DESIGN 2.1, SIGHUP)`, () => {
    const wanted = soundOf(changed(BASE, path, OTHERS[path] ?? null));
    assert.deepEqual(restartNeeded(running, wanted), [path]);
    assert.deepEqual(restartNeeded(running, withoutRestart(running, wanted)), []);
  });
}

test('withoutRestart() takes everything else (DESIGN 2.1, SIGHUP)', () => {
  const wanted = soundOf(changed(changed(BASE, 'log', { access: false }), 'oauth.session_lifetime', '1h'));
  assert.deepEqual(restartNeeded(running, wanted), []);
  assert.deepEqual(withoutRestart(running, wanted), wanted);
});

test('withoutRestart() keeps the certificates while listeners speak TLS (2.1, SIGHUP)', () => {
  const secure = soundOf(changed(SOUND, 'tls', TLS));
  const plain = soundOf(SOUND);
  assert.deepEqual(withoutRestart(secure, plain).tls, secure.tls);
  assert.deepEqual(withoutRestart(plain, secure).tls, plain.tls);
});

test('restartNeeded() names a setting of which a secret alone differs, and no secret (DESIGN 2.1, SIGHUP)', () => {
  for (const [path, of] of [
    ['acme', withBinding],
    ['acme', withToken],
    ['store.url', (end: string) => `postgresql://doorward:${keyWith(end)}@db.internal/doorward`],
  ] as const) {
    const [one, same, other] = ['4', '4', '8'].map((end) => soundOf(changed(BASE, path, of(end))));
    assert.ok(one !== undefined && same !== undefined && other !== undefined);
    assert.deepEqual(restartNeeded(one, same), []);
    assert.deepEqual(restartNeeded(one, other), [path]);
  }
});

function keyWith(end: string): string {
  return `zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG${end}`;
}

function withBinding(end: string): Value {
  return { ...ACME, eab: { kid: 'kid-1', hmac_key: keyWith(end) } };
}

function withToken(end: string): Value {
  return { ...ACME, dns: { provider: 'cloudflare', zone: 'example.com', api_token: keyWith(end) } };
}
