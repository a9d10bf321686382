import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  embeddedIpv4,
  isInRange,
  isMetadataAddress,
  isSpecialPurpose,
  parseAddressRange,
} from './address-range.ts';
import { formatIpAddress, parseIpAddress, type IpAddress } from './ip-address.ts';

function ip(text: string): IpAddress {
  const address = parseIpAddress(text);
  assert.ok(address !== null, text);
  return address;
}

const SPECIAL = [
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.0.0',
  '169.254.169.254',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.0',
  '192.168.255.255',
  '198.18.0.0',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::1',
  '64:ff9b:1:ffff::808:808',
  '100::1',
  '100:0:0:1::1',
  '2001::1',
  '2001:0:7f00:1::',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fdff::1',
  'fd00:ec2::254',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff00::1',
  'ff02::1',
  '4000::1',
  '1::1',
];
for (const text of SPECIAL) {
  test(`isSpecialPurpose() holds ${text} (DESIGN "Calls out")`, () => {
    assert.equal(isSpecialPurpose(ip(text)), true);
  });
}

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450::1',
  '2003::1',
];
for (const text of PUBLIC) {
  test(`isSpecialPurpose() lets ${text} pass (DESIGN "Calls out")`, () => {
    assert.equal(isSpecialPurpose(ip(text)), false);
  });
}

const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd20:ce::254',
  '::ffff:169.254.169.254',
  '::169.254.169.254',
  '::ffff:0:169.254.169.254',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::169.254.169.254',
  '64:ff9b:1:a9fe:a9:fe00::',
  '2002:a9fe:a9fe::1',
  '2001:0:1:2:3:4:5601:5601',
  '2001:0:a9fe:a9fe::',
];
for (const text of METADATA) {
  test(`isMetadataAddress() knows ${text} (DESIGN "Calls out")`, () => {
    assert.equal(isMetadataAddress(ip(text)), true);
    if (text !== '168.63.129.16') assert.equal(isSpecialPurpose(ip(text)), true);
  });
}
for (const text of ['127.0.0.1', '10.0.0.1', '169.254.1.1', '::1', 'fd00::1', '2001:4860:4860::8888']) {
  test(`isMetadataAddress() does not take ${text} for one`, () => {
    assert.equal(isMetadataAddress(ip(text)), false);
  });
}

test('embeddedIpv4() unwraps both ends of a Teredo address (RFC 4380)', () => {
  const inside = embeddedIpv4(ip('2001:0:4136:e378:8000:63bf:3fff:fdd2')).map(formatIpAddress);
  assert.deepEqual(inside, ['65.54.227.120', '192.0.2.45']);
});

test('isInRange() takes a mapped address as the IPv4 address that it is', () => {
  const range = parseAddressRange('10.0.0.0/8');
  assert.ok(range !== null);
  assert.ok(isInRange(ip('::ffff:10.1.2.3'), range));
  assert.ok(!isInRange(ip('::ffff:11.1.2.3'), range));
  assert.ok(!isInRange(ip('::a00:1'), range));
});

for (const text of [
  '10.0.0.1/8',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '::/129',
  'fd00::1/8',
  'a/8',
  '/8',
]) {
  test(`parseAddressRange() refuses ${text}`, () => {
    assert.equal(parseAddressRange(text), null);
  });
}

test('a range of IPv4 written inside IPv6 holds the addresses of IPv4, however they are written', () => {
  for (const text of ['::ffff:10.0.0.0/104', '::ffff:a00:0/104']) {
    const range = parseAddressRange(text);
    assert.ok(range !== null, text);
    for (const inside of ['10.1.2.3', '::ffff:10.1.2.3']) assert.equal(isInRange(ip(inside), range), true);
    for (const outside of ['11.0.0.0', '::a01:203']) assert.equal(isInRange(ip(outside), range), false);
  }
  const one = parseAddressRange('::ffff:192.0.2.1');
  assert.ok(one !== null && isInRange(ip('192.0.2.1'), one));
  assert.equal(parseAddressRange('::ffff:10.0.0.1/104'), null);
});
