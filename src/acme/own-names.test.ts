import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, SOUND, soundOf, type Value } from '../../test/support/sound-config.ts';
import { challengeKinds, nameForShareHost, ownNames } from './own-names.ts';

const ACME: Value = { email: 'ops@example.com', agree_to_terms: true };
const DNS: Value = { provider: 'hook', command: ['/bin/true'] };
const TUNNEL = new URL('https://tunnel.share.example.com');

function configOf(acme: Value, ...changes: readonly (readonly [string, Value])[]) {
  return soundOf(
    changes.reduce((value, [path, part]) => changed(value, path, part), changed(SOUND, 'acme', acme)),
  );
}

test('ownNames() are the wildcard where DNS can be changed, and each public host that it does not cover', () => {
  assert.deepEqual(ownNames(configOf(ACME), TUNNEL), [
    'auth.share.example.com',
    'control.example.com',
    'tunnel.share.example.com',
  ]);
  assert.deepEqual(ownNames(configOf({ ...(ACME as object), dns: DNS }), TUNNEL), [
    '*.share.example.com',
    'control.example.com',
  ]);
  assert.deepEqual(ownNames(soundOf(SOUND), TUNNEL), []);
});

test('ownNames() leaves out hosts that nobody certifies, and those for which TLS ends elsewhere', () => {
  const local = configOf(ACME, [
    'control',
    { bind_address: '127.0.0.1:8282', public_url: 'https://127.0.0.1:8282' },
  ]);
  assert.deepEqual(ownNames(local, TUNNEL), ['auth.share.example.com', 'tunnel.share.example.com']);
  const plain = configOf(ACME, [
    'control',
    { bind_address: '127.0.0.1:8282', public_url: 'https://control.example.com:8443', tls: 'off' },
  ]);
  assert.ok(!ownNames(plain, TUNNEL).includes('control.example.com'));
});

test('nameForShareHost() is the wildcard for one label below the domain, else the host; none for an address', () => {
  const [plain, dns] = [configOf(ACME), configOf({ ...(ACME as object), dns: DNS })];
  assert.equal(nameForShareHost(plain, 'demo.share.example.com'), 'demo.share.example.com');
  assert.equal(nameForShareHost(dns, 'demo.share.example.com'), '*.share.example.com');
  assert.equal(nameForShareHost(dns, 'app.customer.com'), 'app.customer.com');
  assert.equal(nameForShareHost(dns, 'a.b.share.example.com'), 'a.b.share.example.com');
  for (const host of ['192.0.2.1', '[2001:db8::1]', 'localhost', 'a.localhost'])
    assert.equal(nameForShareHost(plain, host), null, host);
});

test('challengeKinds() proves a wildcard and hosts below the domain by DNS, and no other host', () => {
  const all = configOf({ ...(ACME as object), http_bind_address: '0.0.0.0:80', dns: DNS });
  assert.deepEqual(challengeKinds(all, '*.share.example.com'), ['dns-01']);
  assert.deepEqual(challengeKinds(all, 'demo.share.example.com'), ['http-01', 'tls-alpn-01', 'dns-01']);
  assert.deepEqual(challengeKinds(all, 'app.customer.com'), ['http-01', 'tls-alpn-01']);
  assert.deepEqual(challengeKinds(configOf(ACME), 'app.customer.com'), ['tls-alpn-01']);
  assert.deepEqual(challengeKinds(configOf(ACME), '*.share.example.com'), []);
});
