import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressSite } from '../../domain/address-site.ts';
import { placeFor } from './device-login-places.ts';

const MOST = { network: 3, block: 4, all: 6 };

test('placeFor() refuses a network and a block that have their share, whatever room there is (RFC 8628 section 5.1)', () => {
  const subscriber = waitingOf('192.0.2.1', '192.0.2.1', '192.0.2.1');
  assert.deepEqual(place('192.0.2.1', subscriber), { kind: 'full' });
  assert.deepEqual(place('192.0.2.2', subscriber), { kind: 'free', displaces: null });
  const neighbours = waitingOf('2001:db8::1', '2001:db8:0:1::1', '2001:db8:0:2::1', '2001:db8:0:3::1');
  assert.deepEqual(place('2001:db8:0:4::1', neighbours), { kind: 'full' });
  assert.deepEqual(place('2001:db8:1::1', neighbours), { kind: 'free', displaces: null });
});

test('placeFor() takes the newest of the block with the most where all places are taken, and none from equals', () => {
  const flood = waitingOf(
    '2001:db8::1',
    '2001:db8:0:1::1',
    '192.0.2.1',
    '192.0.2.1',
    '2001:db8:0:2::1',
    '192.0.2.2',
  );
  assert.deepEqual(place('198.51.100.1', flood), { kind: 'free', displaces: '4' });
  assert.deepEqual(place('192.0.2.2', flood), { kind: 'free', displaces: '4' });
  assert.deepEqual(place('192.0.2.1', flood), { kind: 'full' });
  const each = waitingOf('192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5', '192.0.2.6');
  assert.deepEqual(place('192.0.2.7', each), { kind: 'full' });
});

function place(ip: string, waiting: ReturnType<typeof waitingOf>) {
  return placeFor({ ip, network: addressSite(ip) }, waiting, MOST);
}

function waitingOf(...ips: readonly string[]) {
  return ips.map((ip, index) => ({ id: String(index), ip, network: addressSite(ip) }));
}
