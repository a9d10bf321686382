import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatIpAddress, parseIpAddress, readHost } from './ip-address.ts';

const ADDRESSES: readonly (readonly [string, string])[] = [
  ['127.0.0.1', '127.0.0.1'],
  ['255.255.255.255', '255.255.255.255'],
  ['::', '::'],
  ['::1', '::1'],
  ['1::', '1::'],
  ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
  ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ['::ffff:1.2.3.4', '::ffff:102:304'],
  ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
];
for (const [text, canonical] of ADDRESSES) {
  test(`parseIpAddress() reads ${text}`, () => {
    const address = parseIpAddress(text);
    assert.ok(address !== null);
    assert.equal(formatIpAddress(address), canonical);
  });
}

const NOT_ADDRESSES = [
  '',
  '1.2.3',
  '1.2.3.4.5',
  '01.2.3.4',
  '1.2.3.256',
  '1.2.3.4 ',
  '0x7f.0.0.1',
  '2130706433',
  ':',
  ':::',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7:8::',
  '1::2::3',
  '12345::',
  'g::',
  '::1%eth0',
  '[::1]',
  '::1.2.3',
  '1.2.3.4::',
  '::ffff:01.2.3.4',
];
for (const text of NOT_ADDRESSES) {
  test(`parseIpAddress() refuses ${JSON.stringify(text)}`, () => {
    assert.equal(parseIpAddress(text), null);
  });
}

const READINGS: readonly (readonly [string, string])[] = [
  ['2130706433', '127.0.0.1'],
  ['0x7f000001', '127.0.0.1'],
  ['0X7F.1', '127.0.0.1'],
  ['0177.0.0.1', '127.0.0.1'],
  ['017700000001', '127.0.0.1'],
  ['127.1', '127.0.0.1'],
  ['127.0.1', '127.0.0.1'],
  ['127.0.0.1.', '127.0.0.1'],
  ['0', '0.0.0.0'],
  ['0x', '0.0.0.0'],
  ['[::1]', '::1'],
  ['::FFFF:7f00:1', '::ffff:7f00:1'],
  ['1.2.3.4.5', 'malformed'],
  ['256.1.1.1', 'malformed'],
  ['4294967296', 'malformed'],
  ['09.1.1.1', 'malformed'],
  ['example.1', 'malformed'],
  ['example.0x1f', 'malformed'],
  ['[::1', 'malformed'],
  ['::1]', 'malformed'],
  ['[127.0.0.1]', 'malformed'],
  ['fe80::1%eth0', 'malformed'],
  ['[fe80::1%25eth0]', 'malformed'],
  ['１２７.0.0.1', 'malformed'],
  ['127。0。0。1', 'malformed'],
  ['a..b', 'malformed'],
  ['.a', 'malformed'],
  ['a..', 'malformed'],
  ['', 'malformed'],
  ['.', 'malformed'],
  ['a b', 'malformed'],
  ['user@host', 'malformed'],
  ['a%2eb', 'malformed'],
  ['a/b', 'malformed'],
  [`${'a'.repeat(64)}.com`, 'malformed'],
  [`${'a.'.repeat(127)}a`, 'malformed'],
  ['LOCALHOST', 'localhost'],
  ['Example.COM.', 'example.com'],
  ['1.example', '1.example'],
  ['my_host-1', 'my_host-1'],
];
for (const [text, expected] of READINGS) {
  test(`readHost() takes ${JSON.stringify(text.slice(0, 30))} as ${expected} (THREATS "Outbound")`, () => {
    const reading = readHost(text);
    if (reading.kind === 'address') assert.equal(formatIpAddress(reading.address), expected);
    else assert.equal(reading.kind === 'name' ? reading.name : 'malformed', expected);
  });
}

test('parseIpAddress() takes what the platform takes, zones and leading zeros aside', () => {
  const text = fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.]{0,20}$/));
  fc.assert(
    fc.property(text, (value) => {
      assert.equal(parseIpAddress(value)?.version ?? 0, isIP(value), value);
    }),
    { numRuns: 2000 },
  );
});

test('formatIpAddress() agrees with the URL parser, and is read back (RFC 5952)', () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const address = parseIpAddress(text);
      assert.ok(address !== null);
      assert.equal(`[${formatIpAddress(address)}]`, new URL(`http://[${text}]/`).hostname);
      assert.deepEqual(parseIpAddress(formatIpAddress(address)), address);
    }),
  );
});

test('readHost() takes IPv4 forms as the URL parser does', () => {
  const part = fc.oneof(
    fc.nat(300).map(String),
    fc.nat(255).map((n) => `0x${n.toString(16)}`),
    fc.nat(255).map((n) => `0${n.toString(8)}`),
    fc.nat(0xffffffff).map(String),
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const text = parts.join('.');
      const reading = readHost(text);
      const parsed = URL.canParse(`http://${text}/`) ? new URL(`http://${text}/`).hostname : 'malformed';
      assert.equal(
        reading.kind === 'address' ? formatIpAddress(reading.address) : reading.kind,
        parsed,
        text,
      );
    }),
    { numRuns: 2000 },
  );
});
