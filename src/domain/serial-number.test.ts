import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSerialNumber } from './serial-number.ts';

test('parseSerialNumber() takes positive numbers of 1 to 20 bytes as X509Certificate writes them (RFC 5280 4.1.2.2)', () => {
  const good = {
    '1': '01',
    '0a': '0A',
    '01ab:cd': '01ABCD',
    '00:ff': 'FF',
    ' 7f ': '7F',
    ['00'.repeat(5) + '7f'.repeat(20)]: '7F'.repeat(20),
    ['ff'.repeat(19)]: 'FF'.repeat(19),
  };
  for (const [text, serial] of Object.entries(good)) assert.equal(parseSerialNumber(text), serial, text);
  const bad = [
    '',
    '0',
    '00:00',
    '-1',
    '0x1',
    'g',
    '1 2',
    ':',
    'ff'.repeat(20),
    '1'.repeat(41),
    '0'.repeat(90),
  ];
  for (const text of bad) assert.equal(parseSerialNumber(text), null, text);
});
