import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alignedRows, tableText, wrappedLine } from './columns.ts';

const HEAD = ['NAME', 'URL', 'TARGET', 'STATE', 'ID'];
const ROWS = [
  HEAD,
  ['wiki', `https://wiki.${'x'.repeat(40)}.example.com`, 'http://127.0.0.1:3000', 'enabled', 'shr_01'],
  ['a-rather-long-name', 'https://b.example.com', 'served by agents', 'disabled', 'shr_02'],
];

test('tableText() in pipes and where it fits is every cell, whole (Tables)', () => {
  for (const terminal of [{}, { width: null }, { width: 300 }])
    assert.equal(tableText(ROWS, terminal), alignedRows(ROWS));
});

test('tableText() fits the terminal: it leaves out IDs beside names, and cuts the widest cells, never the name (Tables)', () => {
  for (const width of [120, 100, 80, 70]) {
    const text = tableText(ROWS, { width });
    for (const line of text.split('\n')) assert.ok(line.length <= width, `${width}: ${line}`);
    assert.match(text, /^NAME /);
    assert.match(text, /^a-rather-long-name /m);
  }
  assert.match(tableText(ROWS, { width: 80 }), /https:\/\/wiki\.x+… /);
  assert.doesNotMatch(tableText(ROWS, { width: 80 }), /shr_01/);
  assert.match(tableText(ROWS, { width: 80 }), /enabled\n/);
});

test('tableText() tells each row line by line where columns would say nothing, and keeps IDs that are needed (Tables)', () => {
  const rows = [
    ['WHO', 'SHARE', 'PROVIDER', 'FROM', 'SINCE', 'LAST SEEN', 'UNTIL', 'ID'],
    [
      'ann@example.com',
      'wiki',
      'corp',
      '203.0.113.7',
      'x'.repeat(17),
      'y'.repeat(17),
      'z'.repeat(17),
      'ses_1',
    ],
  ];
  const text = tableText(rows, { width: 60 });
  assert.match(text, /^ann@example\.com\n {2}share +wiki\n[^]* {2}id +ses_1\n$/);
  for (const line of text.split('\n')) assert.ok(line.length <= 60, line);
});

test('wrappedLine() wraps between its parts at the terminal alone (Tables)', () => {
  const parts = [
    '2030-01-31T09:00:00.000Z',
    'login.refused         ',
    'ann@example.com',
    '203.0.113.7',
    'corp',
  ];
  assert.equal(wrappedLine(parts, {}), `${parts.join('  ')}\n`);
  const text = wrappedLine(parts, { width: 60 });
  assert.equal(text.replaceAll(/\s+/g, ' '), `${parts.join(' ').replaceAll(/\s+/g, ' ')} `);
  for (const line of text.split('\n')) assert.ok(line.length <= 60, line);
  assert.match(text, /\n {4}\S/);
});
