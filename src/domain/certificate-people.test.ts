import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCertificatePeople } from './certificate-people.ts';
import { parseCsv } from './csv-table.ts';

const rows = (text: string) => parseCsv(text).rows?.map(({ line, cells }) => [line, cells.join('|')]);

const faultsOf = (text: string): readonly string[] =>
  parseCertificatePeople(text).faults.map(({ line, message }) => `${line}: ${message}`);

test('parseCsv() reads quotes, CRLF, a byte order mark, semicolons and tabs (RFC 4180)', () => {
  assert.deepEqual(rows('\ufeffa,b\r\n"c ""d"", e", f \r\n'), [
    [1, 'a|b'],
    [2, 'c "d", e|f'],
  ]);
  assert.deepEqual(rows('a;b\rc;"x;y"'), [
    [1, 'a|b'],
    [2, 'c|x;y'],
  ]);
  assert.deepEqual(rows('a\tb\n\n\t \nc\td'), [
    [1, 'a|b'],
    [4, 'c|d'],
  ]);
  assert.deepEqual(rows(''), []);
  assert.deepEqual(rows('\n\r\n;\n'), []);
});

test('parseCsv() says what is wrong, and where, of hostile text (THREATS "Exhaustion")', () => {
  const wrong: readonly (readonly [text: string, line: number, about: RegExp])[] = [
    ['a\n"b', 2, /not closed/],
    ['a\n"b"c', 2, /follows a closing quote/],
    ['a"b', 1, /inside a cell/],
    ['"a\nb"', 1, /line break/],
    ['a\nJ\ufffdrg', 2, /not UTF-8/],
    ['a\n\0', 2, /control character/],
    ['\u001b[2Jx', 1, /control character/],
    ['x'.repeat(301), 1, /longer than 300/],
    [','.repeat(30), 1, /more than 20 cells/],
    ['x\n'.repeat(502), 502, /more than 501 rows/],
    ['x'.repeat(300_000), 1, /256 KiB/],
  ];
  for (const [text, line, about] of wrong) {
    const { fault } = parseCsv(text);
    assert.equal(fault?.line, line, JSON.stringify(text.slice(0, 40)));
    assert.match(fault.message, about);
  }
  const started = performance.now();
  for (const text of ['"'.repeat(262_144), '""'.repeat(131_072), ' '.repeat(262_144), '\r'.repeat(262_144)])
    parseCsv(text);
  assert.ok(performance.now() - started < 5_000, 'time grows with the text alone');
});

test('parseCertificatePeople() reads email, name and days, with or without a head in any order', () => {
  const ann = { email: 'ann@example.com', commonName: 'ann', days: 90 };
  assert.deepEqual(parseCertificatePeople('ann@example.com,ann,90\nbob@example.com').people, [
    { line: 1, ...ann },
    { line: 2, email: 'bob@example.com', commonName: 'bob@example.com', days: null },
  ]);
  const headed = parseCertificatePeople('Days;Email;Name\r\n90;ann@example.com;ann\r\n');
  assert.deepEqual(headed, { people: [{ line: 2, ...ann }], faults: [] });
});

test('parseCertificatePeople() tells each fault by its line, and makes nobody of it', () => {
  const text = [
    'email,name,days',
    'ann@example.com,ann,90',
    'ann,nobody,90',
    ',nameless,',
    'bob@example.com,bob,0',
    'bob@example.com,bob,398',
    'bob@example.com,bob,1e2',
    `eve@example.com,${'x'.repeat(65)},`,
    `${'x'.repeat(60)}@example.com`,
    'ANN@example.com,ann,30',
    'eve@example.com,eve,1,surplus',
    'jörg@example.com,joerg,1',
    `eve@example.com,${'👍'.repeat(64)},`,
    'eve@example.com," eve ",',
  ].join('\n');
  assert.deepEqual(
    parseCertificatePeople(text).people.map(({ line, commonName }) => [line, commonName.slice(0, 4)]),
    [
      [2, 'ann'],
      [13, '👍👍'],
      [14, 'eve'],
    ],
  );
  const faults = faultsOf(text);
  assert.deepEqual(
    faults.map((each) => Number.parseInt(each, 10)),
    [3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  );
  assert.match(faults[6] ?? '', /the address, which is the name, is longer/);
  assert.match(faults[7] ?? '', /in line 2/);
  assert.deepEqual(faultsOf('email,role\na@example.com,admin'), [
    '1: the column "role" is none of email, name, days',
  ]);
  assert.deepEqual(faultsOf('email,email\n'), ['1: there are two columns "email"']);
  assert.deepEqual(faultsOf('name\nann'), ['1: there is no column "email"']);
  assert.deepEqual(faultsOf('constructor\n'), ['1: the column "constructor" is none of email, name, days']);
  const many = Array.from({ length: 501 }, (_, index) => `p${index}@example.com`).join('\n');
  assert.deepEqual(faultsOf(many), ['1: there are more than 500 people']);
  assert.equal(parseCertificatePeople(many.slice(0, many.lastIndexOf('\n'))).people.length, 500);
});
