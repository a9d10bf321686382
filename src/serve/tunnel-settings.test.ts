// The `tunnel` section (DESIGN 2.1): where agents connect, and what cannot work.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, faultsOf, SOUND, soundOf, type Value } from '../../test/support/sound-config.ts';
import type { Config } from '../config/config.ts';
import { gateSettings, ownHosts, ownListeners, tunnelUrl } from './gate-settings.ts';

const OWN = { bind_address: '0.0.0.0:8383', public_url: 'https://tunnel.example.com:8383' };
const SECURE = changed(SOUND, 'tls', [{ certificate_file: 'chain.pem', key_file: 'key.pem' }]);

const withTunnel = (tunnel: Value, base = SOUND) => changed(base, 'tunnel', tunnel);
const settingsOf = (config: Config) =>
  gateSettings(config, { oauth: '/o.sock', control: '/c.sock', certificateSecret: 'secret' }).tunnel;
const asking = (base: typeof SOUND) => changed(base, 'control.client_certificates', 'optional');
const asks = (config: Config) => settingsOf(config).asksCertificates;

test('without a tunnel section agents connect to the host `tunnel` below the share domain (DESIGN 2.1)', () => {
  const config = soundOf(SOUND);
  assert.equal(tunnelUrl(config).origin, 'https://tunnel.share.example.com');
  assert.deepEqual(settingsOf(config), {
    host: 'tunnel.share.example.com',
    workers: 1,
    atGateway: true,
    listener: null,
  });
});

test('a tunnel section with an address of its own has a listener, which no share may reach or be named like (DESIGN 2.1)', () => {
  const config = soundOf(withTunnel(OWN, SECURE));
  const bind = { host: '0.0.0.0', port: 8383 };
  assert.deepEqual(settingsOf(config), {
    host: 'tunnel.example.com',
    workers: 1,
    atGateway: false,
    listener: { bind, tls: true },
  });
  assert.ok(ownListeners(config).some((each) => each.port === 8383));
  assert.ok(ownHosts(config).includes('tunnel.example.com'));
  assert.ok(ownHosts(config).includes('tunnel.share.example.com'));
});

test('a tunnel section may use the gateway’s address, and its public URL the gateway’s port (DESIGN 2.1)', () => {
  const shared = { bind_address: '0.0.0.0:443', public_url: 'https://agents.example.com' };
  assert.deepEqual(settingsOf(soundOf(withTunnel(shared))), {
    host: 'agents.example.com',
    workers: 1,
    atGateway: true,
    listener: null,
  });
  const both = { ...OWN, public_url: 'https://agents.example.com' };
  assert.equal(settingsOf(soundOf(withTunnel(both))).atGateway, true);
  assert.notEqual(settingsOf(soundOf(withTunnel(both))).listener, null);
});

test('agents are asked for certificates where the control API asks, and TLS is ended here (DESIGN "Mutual TLS")', () => {
  assert.equal(asks(soundOf(withTunnel(OWN, SECURE))), undefined);
  assert.deepEqual(asks(soundOf(asking(SECURE))), { gateway: true, own: false });
  assert.deepEqual(asks(soundOf(asking(withTunnel(OWN, SECURE)))), { gateway: true, own: true });
  const plain = { ...OWN, tls: 'off', public_url: 'https://tunnel.example.com' };
  assert.deepEqual(asks(soundOf(asking(withTunnel(plain, SECURE)))), { gateway: true, own: false });
});

const REFUSED: readonly (readonly [string, Value, string, Value?])[] = [
  ['an address of the control API', { ...OWN, bind_address: '127.0.0.1:8282' }, 'tunnel.bind_address'],
  [
    'an address that overlaps the gateway’s',
    { ...OWN, bind_address: '127.0.0.1:443' },
    'tunnel.bind_address',
  ],
  [
    'the gateway’s address with another port for agents',
    { ...OWN, bind_address: '0.0.0.0:443' },
    'tunnel.public_url',
  ],
  [
    'the host of the OAuth frontend',
    { ...OWN, public_url: 'https://auth.share.example.com' },
    'tunnel.public_url',
  ],
  ['the host of the control API', { ...OWN, public_url: 'https://control.example.com' }, 'tunnel.public_url'],
  ['a plain public URL', { ...OWN, public_url: 'http://tunnel.example.com:8383' }, 'tunnel.public_url'],
  [
    'plain agents at a TLS listener',
    { ...OWN, public_url: 'http://localhost:8383' },
    'tunnel.public_url',
    SECURE,
  ],
  ['a path', { ...OWN, public_url: 'https://tunnel.example.com/tunnel' }, 'tunnel.public_url'],
  ['no public URL', { bind_address: '0.0.0.0:8383' }, 'tunnel.public_url'],
  ['no address', { public_url: 'https://tunnel.example.com' }, 'tunnel.bind_address'],
  ['an unknown key', { ...OWN, public_ulr: 'x' }, 'tunnel.public_ulr'],
  ['nothing', null, 'tunnel'],
];
for (const [what, tunnel, path, base] of REFUSED)
  test(`a tunnel section with ${what} is refused (DESIGN 2.1)`, () => {
    assert.deepEqual(
      faultsOf(withTunnel(tunnel, base)).map((fault) => fault.path),
      [path],
    );
  });
