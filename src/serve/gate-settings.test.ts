import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../config/parse.ts';
import { gateSettings } from './gate-settings.ts';

const sockets = { oauth: '/run/oauth.sock', control: '/run/control.sock', certificateSecret: 'secret' };

function insideHosts(controlUrl: string): readonly string[] {
  const text = JSON.stringify({
    gateway: { bind_address: '0.0.0.0:443', public_url: 'https://*.share.example.com' },
    oauth: {
      bind_address: '127.0.0.1:8081',
      endpoint_url: 'https://login.share.example.com',
      cookie_name: 'svc-auth-session',
      cookie_domain: 'share.example.com',
      session_lifetime: '6h',
      intermediate_lifetime: '5m',
      signing_key: 'a signing key for tests, 32 characters or more',
      encryption_key: 'an encryption key for tests, 24 or more',
      providers: [{ name: 'google', type: 'google', client_id: 'id', client_secret: 'secret' }],
    },
    control: { bind_address: '127.0.0.1:8282', public_url: controlUrl },
    store: { url: 'sqlite:data/doorward.db', master_key_file: 'master.key' },
  });
  const parsed = parseConfig(text, { file: '/etc/doorward/doorward.yaml', readFile: () => new Uint8Array() });
  assert.ok('config' in parsed, JSON.stringify(parsed));
  return gateSettings(parsed.config, sockets).inside.map(({ host }) => host);
}

test('gateSettings() passes inside the hosts that visitors reach at the gateway (2.1)', () => {
  assert.deepEqual(insideHosts('https://control.example.com'), [
    'login.share.example.com',
    'control.example.com',
  ]);
});

test('gateSettings() keeps a control API with a port of its own away from the public port (2.1)', () => {
  assert.deepEqual(insideHosts('http://127.0.0.1:8282'), ['login.share.example.com']);
  assert.deepEqual(insideHosts('https://control.example.com:8443'), ['login.share.example.com']);
});
