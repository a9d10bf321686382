import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, faultsOf, SOUND, soundOf, type Value } from '../../test/support/sound-config.ts';

const ACME = { email: 'ops@example.com', agree_to_terms: true };

function faultOf(acme: Value, files: Readonly<Record<string, string>> = {}): string {
  const faults = faultsOf(changed(SOUND, 'acme', acme), files);
  return faults.map(({ path, wanted }) => `${path}: ${wanted}`).join('\n');
}

function externalAccount(given: Value, files: Readonly<Record<string, string>> = {}) {
  return soundOf(changed(SOUND, 'acme', { ...ACME, eab: given }), files).acme?.externalAccount;
}

function dns(given: Value) {
  return soundOf(changed(SOUND, 'acme', { ...ACME, dns: given })).acme?.dns;
}

test('acme gives every listener TLS, by Let’s Encrypt and TLS-ALPN-01 unless said (2.1)', () => {
  const config = soundOf(changed(SOUND, 'acme', ACME));
  assert.equal(config.gateway.tls, true);
  assert.deepEqual(config.acme, {
    email: 'ops@example.com',
    directory: 'https://acme-v02.api.letsencrypt.org/directory',
    trustedAuthorities: null,
    httpBindAddress: null,
    externalAccount: null,
    dns: null,
  });
});

test('acme.dns is of one provider, with the keys of that one alone (2.1)', () => {
  const cloudflare = dns({ provider: 'cloudflare', zone: 'example.com', api_token: 'token' });
  assert.ok(cloudflare?.provider === 'cloudflare' && cloudflare.apiToken.reveal() === 'token');
  assert.equal(cloudflare.waitMs, 10_000);
  const hook = dns({ provider: 'hook', command: ['/bin/change', 'x'], wait: '2m' });
  assert.ok(hook?.provider === 'hook' && hook.waitMs === 120_000);
  const key = { key_name: 'k', key_secret: 'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz', zone: 'example.com' };
  const rfc = dns({ provider: 'rfc2136', server: '[2001:db8::1]:53', ...key });
  assert.ok(
    rfc?.provider === 'rfc2136' && rfc.server.host === '2001:db8::1' && rfc.algorithm === 'hmac-sha256',
  );
  for (const [given, fault] of [
    [{ provider: 'hook', command: ['relative'] }, /acme\.dns\.command: the absolute path/],
    [{ provider: 'hook', command: [] }, /acme\.dns\.command: the absolute path/],
    [{ provider: 'hook', command: ['/x'], api_token: 'y' }, /acme\.dns\.api_token/],
    [{ provider: 'route53' }, /acme\.dns\.provider: one of rfc2136, cloudflare, hook/],
    [
      { provider: 'cloudflare', zone: 'elsewhere.com', api_token: 'y' },
      /acme\.dns\.zone: a domain that covers/,
    ],
    [{ provider: 'rfc2136', server: 'ns1.example.com', ...key }, /acme\.dns\.server: a host and a port/],
  ] as const)
    assert.match(faultOf({ ...ACME, dns: given as Value }), fault);
});

test('acme needs the terms, an address, https, TLS at the gateway and a port of its own (2.1)', () => {
  assert.match(faultOf({ email: 'ops@example.com' }), /acme\.agree_to_terms: true/);
  assert.match(faultOf({ ...ACME, agree_to_terms: false }), /acme\.agree_to_terms: true/);
  assert.match(faultOf({ ...ACME, email: 'nobody' }), /acme\.email: an email address/);
  assert.match(faultOf({ ...ACME, directory: 'http://acme.example.com/' }), /acme\.directory: the https/);
  assert.match(faultOf({ ...ACME, ca_file: 'none.pem' }), /acme\.ca_file: a readable file/);
  assert.match(faultOf({ ...ACME, ca_file: 'a.pem' }, { '/etc/doorward/a.pem': 'no' }), /acme\.ca_file/);
  assert.match(
    faultOf({ ...ACME, http_bind_address: '0.0.0.0:443' }),
    /another address than that of gateway/,
  );
  const off = changed(changed(SOUND, 'acme', ACME), 'gateway.tls', 'off');
  assert.match(JSON.stringify(faultsOf(off)), /TLS at the gateway/);
});

test('acme.eab is a key identifier and a base64url key, which nobody is told (RFC 8555 section 7.3.4)', () => {
  const key = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W';
  const read = externalAccount({ kid: 'kid-1', hmac_key: key });
  assert.deepEqual([read?.kid, read?.hmacKey.reveal()], ['kid-1', key]);
  assert.doesNotMatch(JSON.stringify(read), /zWND/);
  const file = { '/etc/doorward/eab.secret': `${key}==\n` };
  assert.equal(
    externalAccount({ kid: 'kid-1', hmac_key_file: 'eab.secret' }, file)?.hmacKey.reveal(),
    `${key}==`,
  );
  for (const [given, wanted] of [
    [{ kid: 'kid-1' }, /acme\.eab\.hmac_key: /],
    [{ hmac_key: key }, /acme\.eab\.kid: the key identifier/],
    [{ kid: 'kid 1', hmac_key: key }, /acme\.eab\.kid: the key identifier/],
    [{ kid: 'kid-1', hmac_key: 'short' }, /acme\.eab\.hmac_key: at least 22/],
    [{ kid: 'kid-1', hmac_key: `${key} ${key}` }, /acme\.eab\.hmac_key: the key as base64url/],
    [{ kid: 'kid-1', hmac_key: key, hmac_key_file: 'eab.secret' }, /acme\.eab\.hmac_key_file: either/],
    [{ kid: 'kid-1', hmac: key }, /acme\.eab\.hmac/],
    ['kid-1', /acme\.eab: a mapping/],
  ] as const) {
    assert.match(faultOf({ ...ACME, eab: given as Value }, file), wanted);
    assert.doesNotMatch(
      JSON.stringify(faultsOf(changed(SOUND, 'acme', { ...ACME, eab: given as Value }))),
      /zWND/,
    );
  }
});
