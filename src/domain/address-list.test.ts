import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAddressList, parseAddressEntry } from './address-list.ts';
import { readHost } from './ip-address.ts';
import { ServiceError } from './service-error.ts';

/** A candidate as a dialler makes it: the host as written, and the address it stands for. */
function target(host: string, port: number, resolved?: string) {
  const reading = readHost(resolved ?? host);
  return { host, port, address: reading.kind === 'address' ? reading.address : null };
}

const TABLE: readonly (readonly [
  entry: string,
  host: string,
  port: number,
  resolved: string | undefined,
  matches: boolean,
])[] = [
  ['10.0.0.0/8', '10.1.2.3', 80, undefined, true],
  ['10.0.0.0/8', 'db.internal', 80, '10.1.2.3', true],
  ['10.0.0.0/8', '11.1.2.3', 80, undefined, false],
  ['10.0.0.0/8:80', '10.1.2.3', 80, undefined, true],
  ['10.0.0.0/8:80', '10.1.2.3', 81, undefined, false],
  ['::1', '[::1]', 80, undefined, true],
  ['::1', '::1', 80, undefined, true],
  ['[::1]:3000', '[::1]', 3000, undefined, true],
  ['[::1]:3000', '[::1]', 3001, undefined, false],
  ['[fd00::/8]:443', '[fd12::1]', 443, undefined, true],
  ['127.0.0.1:3000', '127.0.0.1', 3000, undefined, true],
  ['127.0.0.1:3000', '2130706433', 3000, undefined, true],
  ['127.0.0.1:3000', '[::ffff:127.0.0.1]', 3000, undefined, true],
  ['127.0.0.1:3000', '127.0.0.1', 3001, undefined, false],
  ['127.0.0.1:3000', 'localhost', 3000, '127.0.0.1', true],
  ['localhost', 'LOCALHOST.', 5173, '127.0.0.1', true],
  ['localhost:5173', 'localhost', 5173, '::1', true],
  ['localhost:5173', 'localhost', 5174, '::1', false],
  ['localhost:5173', 'evil.example', 5173, '127.0.0.1', false],
  ['localhost', 'a.localhost', 80, '127.0.0.1', false],
];
for (const [entry, host, port, resolved, matches] of TABLE) {
  test(`createAddressList() ${entry} ${matches ? 'holds' : 'does not hold'} ${host}:${port} ${resolved ?? ''} (2.1)`, () => {
    assert.equal(createAddressList(['192.0.2.1', entry]).matches(target(host, port, resolved)), matches);
  });
}

test('createAddressList() without entries holds nothing', () => {
  assert.equal(createAddressList([]).matches(target('127.0.0.1', 80)), false);
});

for (const entry of [
  '',
  '10.0.0.1/8',
  '127.1',
  '0x7f.0.0.1',
  '127.0.0.1:0',
  '127.0.0.1:65536',
  '127.0.0.1:',
  'a b',
  'http://x',
  '[::1',
  '*.a',
  '[::1]x',
  'fe80::1%eth0',
]) {
  test(`parseAddressEntry() refuses ${JSON.stringify(entry)} (2.1)`, () => {
    assert.throws(
      () => parseAddressEntry(entry),
      (error) => error instanceof ServiceError && error.code === 'validation_failed',
    );
  });
}
