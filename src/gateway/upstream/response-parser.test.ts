// What the parser takes and what it refuses, byte for byte, without sockets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ResponseParser, type ParserState } from './response-parser.ts';

type Read = {
  readonly informational: readonly (readonly [number, readonly string[]])[];
  readonly head: readonly [number, string, readonly string[]] | null;
  readonly body: string;
  readonly trailers: readonly string[];
  readonly state: ParserState;
  readonly fault: string | null;
  /** How many bytes were left over; meaningless, and 0, after a fault. */
  readonly surplus: number;
};

type Asked = { readonly method?: string; readonly upgrade?: string | null; readonly closes?: boolean };

function read(
  pieces: readonly Buffer[],
  { method = 'GET', upgrade = null, closes = false }: Asked = {},
): Read {
  const informational: [number, readonly string[]][] = [];
  let head: Read['head'] = null;
  let body = '';
  const parser = new ResponseParser({
    onInformational: (status, headers) => void informational.push([status, headers]),
    onHead: (status, reason, headers) => void (head = [status, reason, headers]),
    onBody: (chunk, from, to) => void (body += chunk.toString('latin1', from, to)),
  });
  parser.begin(method, upgrade);
  let surplus = 0;
  for (const piece of pieces) surplus += piece.length - parser.feed(piece, piece.length);
  if (closes) parser.finish();
  const { state, fault, trailers } = parser;
  return {
    informational,
    head,
    body,
    trailers,
    state,
    fault: fault?.message ?? null,
    surplus: fault === null ? surplus : 0,
  };
}

function readText(text: string, asked: Asked = {}): Read {
  return read([Buffer.from(text, 'latin1')], asked);
}

function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

const VALID: Readonly<Record<string, readonly [text: string, asked?: Asked]>> = {
  'a body by its length': ['HTTP/1.1 200 OK\r\nX-Case:  kept \t\r\nContent-Length: 5\r\n\r\nhello'],
  'an empty reason, with and without its space': ['HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n'],
  'a missing space before no reason': ['HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n'],
  'latin1 in reason and value': [
    'HTTP/1.1 404 Pas trouv\xe9\r\nX: \xff\x80\r\nContent-Length: 1\r\n\r\n\x00',
  ],
  'empty values and repeated names': ['HTTP/1.1 200 OK\r\nA:\r\na: \r\nA: 1\r\nContent-Length: 0\r\n\r\n'],
  'chunks, extensions and trailers': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n5;a;b=c;d="e \\" f"\r\nhello\r\n00A\r\n0123456789\r\n0\r\nX-T: 1\r\nx-t: 2\r\n\r\n',
  ],
  'chunks without trailers': [
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0;last\r\n\r\n',
  ],
  'a body until the end of the connection': ['HTTP/1.1 200 OK\r\n\r\nall of it', { closes: true }],
  'HTTP/1.0': ['HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'],
  'the answer to HEAD': ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', { method: 'HEAD' }],
  'a chunked answer to HEAD': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', { method: 'HEAD' }],
  '204': ['HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n'],
  '304 with a length': ['HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n'],
  'informational answers': [
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx',
  ],
};

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n\r\n';
const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

const REFUSED: Readonly<Record<string, readonly [text: string, fault: RegExp, asked?: Asked]>> = {
  'no HTTP': ['SSH-2.0-OpenSSH_9.9\r\n', /no HTTP/],
  'HTTP/2 in HTTP/1 clothes': ['HTTP/2.0 200 OK\r\n', /no HTTP/],
  'HTTP/1.2': ['HTTP/1.2 200 OK\r\n', /no HTTP/],
  'an empty line before the status line': [`\r\n${OK}\r\n`, /no HTTP/],
  'two spaces before the status': ['HTTP/1.1  200 OK\r\n', /status outside/],
  'a status below 100': ['HTTP/1.1 099 X\r\n', /status outside/],
  'a status above 599': ['HTTP/1.1 600 X\r\n', /status outside/],
  'a status of two digits': ['HTTP/1.1 20 OK\r\n', /status outside/],
  'a status of four digits': ['HTTP/1.1 2000 OK\r\n', /malformed/],
  'a control byte in the reason': ['HTTP/1.1 200 O\x01K\r\n', /reason/],
  'a bare CR in the reason': ['HTTP/1.1 200 O\rK\r\n', /reason/],
  'a bare LF after the status line': ['HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n', /line feed without/],
  'a bare LF after a header': [`${OK}A: b\nContent-Length: 0\r\n\r\n`, /line feed without/],
  'a bare LF as the empty line': [`${OK}Content-Length: 0\r\n\n`, /line feed without/],
  'a bare CR in a value': [`${OK}A: b\rc\r\n\r\n`, /control byte/],
  'CR CR LF': [`${OK}A: b\r\r\n\r\n`, /control byte/],
  'a bare CR in a name': [`${OK}A\rB: c\r\n\r\n`, /no token/],
  'a folded line': [`${OK}A: b\r\n c\r\n\r\n`, /folded/],
  'a line folded by a tab': [`${OK}A: b\r\n\tc\r\n\r\n`, /folded/],
  'a fold before the first header': [`${OK} A: b\r\n\r\n`, /folded/],
  'NUL in a value': [`${OK}A: b\0c\r\n\r\n`, /control byte/],
  'DEL in a value': [`${OK}A: b\x7f\r\n\r\n`, /control byte/],
  'an escape byte in a value': [`${OK}A: \x1b[2J\r\n\r\n`, /control byte/],
  'a space before the colon': [`${OK}Content-Length : 5\r\n\r\n`, /no token/],
  'a header without a colon': [`${OK}nonsense\r\n\r\n`, /no token/],
  'a header without a name': [`${OK}: x\r\n\r\n`, /no token/],
  'a name that is no token': [`${OK}A(b): x\r\n\r\n`, /no token/],
  'latin1 in a name': [`${OK}\xc4: x\r\n\r\n`, /no token/],
  'Content-Length with Transfer-Encoding': [
    `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
    /together with/,
  ],
  'Transfer-Encoding with Content-Length': [
    `${OK}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n`,
    /together with/,
  ],
  'the two together on 204': [
    'HTTP/1.1 204 X\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n',
    /together/,
  ],
  'two different lengths': [`${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\n`, /more than one/],
  'two equal lengths': [`${OK}Content-Length: 5\r\ncontent-length: 5\r\n\r\n`, /more than one/],
  'two lengths for HEAD': [
    `${OK}Content-Length: 5\r\nContent-Length: 5\r\n\r\n`,
    /more than one/,
    { method: 'HEAD' },
  ],
  'a list of lengths': [`${OK}Content-Length: 5, 5\r\n\r\n`, /no number/],
  'a signed length': [`${OK}Content-Length: +5\r\n\r\n`, /no number/],
  'a negative length': [`${OK}Content-Length: -5\r\n\r\n`, /no number/],
  'a hexadecimal length': [`${OK}Content-Length: 0x5\r\n\r\n`, /no number/],
  'an empty length': [`${OK}Content-Length:\r\n\r\n`, /no number/],
  'a length that a double cannot count': [`${OK}Content-Length: 9007199254740993\r\n\r\n`, /too large/],
  'gzip, chunked': [`${OK}Transfer-Encoding: gzip, chunked\r\n\r\n`, /other than/],
  identity: [`${OK}Transfer-Encoding: identity\r\n\r\n`, /other than/],
  'chunked twice': [`${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n`, /other than/],
  'chunked, chunked': [`${OK}Transfer-Encoding: chunked, chunked\r\n\r\n`, /other than/],
  'an empty encoding': [`${OK}Transfer-Encoding:\r\n\r\n`, /other than/],
  'a quoted encoding': [`${OK}Transfer-Encoding: "chunked"\r\n\r\n`, /other than/],
  'chunked in HTTP/1.0': ['HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', /HTTP\/1\.0/],
  'a chunk size with a sign': [`${CHUNKED}+5\r\nhello\r\n`, /no chunk size/],
  'a chunk size with a prefix': [`${CHUNKED}0x5\r\nhello\r\n`, /no number/],
  'a chunk size with a space': [`${CHUNKED}5 \r\nhello\r\n`, /no number/],
  'an empty chunk size': [`${CHUNKED}\r\n`, /no chunk size/],
  'a chunk size with an underscore': [`${CHUNKED}1_0\r\n`, /no number/],
  'a chunk size that a double cannot count': [`${CHUNKED}20000000000000\r\n`, /too large/],
  'a chunk size of 17 digits': [`${CHUNKED}00000000000000001\r\n`, /too large/],
  'a bare LF after a chunk size': [`${CHUNKED}5\nhello\r\n`, /no number/],
  'a bare CR after a chunk size': [`${CHUNKED}5\rhello\r\n`, /without a line feed/],
  'a chunk longer than its size': [`${CHUNKED}5\r\nhello!\r\n`, /beyond the size/],
  'a bare LF after a chunk': [`${CHUNKED}5\r\nhello\n0\r\n\r\n`, /beyond the size/],
  'a bare CR after a chunk': [`${CHUNKED}5\r\nhello\r0\r\n\r\n`, /without a line feed/],
  'a space in a chunk extension': [`${CHUNKED}5; a=b\r\n`, /extension/],
  'an unclosed quote in a chunk extension': [`${CHUNKED}5;a="b\r\n`, /extension/],
  'a bare LF in a chunk extension': [`${CHUNKED}5;a\nb\r\n`, /extension/],
  'a bare LF in a quoted extension': [`${CHUNKED}5;a="\n"\r\n`, /extension/],
  'endless extensions': [`${CHUNKED}5;${'a'.repeat(17 * 1024)}`, /too many bytes/],
  'a folded trailer': [`${CHUNKED}0\r\nA: b\r\n c\r\n\r\n`, /folded/],
  'a bare LF in trailers': [`${CHUNKED}0\r\nA: b\n\r\n`, /line feed without/],
  'a length in a trailer': [`${CHUNKED}0\r\nContent-Length: 5\r\n\r\n`, /framing in a trailer/],
  'an encoding in a trailer': [`${CHUNKED}0\r\nTransfer-Encoding: chunked\r\n\r\n`, /framing in a trailer/],
  'trailers without end': [`${CHUNKED}0\r\n${'A: b\r\n'.repeat(50_000)}\r\n`, /too many bytes/],
  'a malformed line behind too many trailers': [`${CHUNKED}0\r\n${'A: b\r\n'.repeat(201)}A b\r\n\r\n`, /./],
  'too many headers': [`${OK}${'A: b\r\n'.repeat(201)}\r\n`, /too many headers/],
  'too many bytes of headers': [`${OK}${`A: ${'b'.repeat(1000)}\r\n`.repeat(66)}\r\n`, /too many bytes/],
  'a status line without end': [`HTTP/1.1 200 ${'O'.repeat(65 * 1024)}`, /too many bytes/],
  'nine informational answers': ['HTTP/1.1 103 X\r\n\r\n'.repeat(9), /too many informational/],
  'an informational answer that closes': ['HTTP/1.1 103 X\r\nConnection: close\r\n\r\n', /that closes/],
  'an informational answer with a length': [
    'HTTP/1.1 103 X\r\nContent-Length: 5\r\n\r\n',
    /announces a body/,
  ],
  'an informational answer in HTTP/1.0': ['HTTP/1.0 100 X\r\n\r\n', /that closes/],
  '101 that nobody asked for': [SWITCH, /not asked for/],
  '101 to another protocol': [SWITCH, /another protocol/, { upgrade: 'doorward-tunnel/1' }],
  '101 without a protocol': ['HTTP/1.1 101 X\r\n\r\n', /another protocol/, { upgrade: 'websocket' }],
  '101 to h2c': ['HTTP/1.1 101 X\r\nUpgrade: h2c\r\n\r\n', /another protocol/, { upgrade: 'websocket' }],
  'the end within the head': [`${OK}Content-`, /before the end/, { closes: true }],
  'the end within a body': [`${OK}Content-Length: 5\r\n\r\nhell`, /before the end/, { closes: true }],
  'the end within a chunk': [`${CHUNKED}5\r\nhell`, /before the end/, { closes: true }],
  'the end before the last chunk': [`${CHUNKED}5\r\nhello\r\n`, /before the end/, { closes: true }],
  'the end within trailers': [`${CHUNKED}0\r\nA: b\r\n`, /before the end/, { closes: true }],
};

test('ResponseParser reads each form of an answer (RFC 9112 section 6.3)', () => {
  const results = Object.fromEntries(
    Object.entries(VALID).map(([name, [text, asked]]) => [name, readText(text, asked)]),
  );
  for (const [name, result] of Object.entries(results))
    assert.equal(result.state, 'complete', `${name}: ${result.fault}`);
  assert.deepEqual(results['a body by its length']?.head, [
    200,
    'OK',
    ['X-Case', 'kept', 'Content-Length', '5'],
  ]);
  assert.equal(results['a body by its length']?.body, 'hello');
  assert.deepEqual(results['latin1 in reason and value']?.head?.slice(0, 2), [404, 'Pas trouv\xe9']);
  assert.deepEqual(results['empty values and repeated names']?.head?.[2].slice(0, 6), [
    'A',
    '',
    'a',
    '',
    'A',
    '1',
  ]);
  assert.equal(results['chunks, extensions and trailers']?.body, 'hello0123456789');
  assert.deepEqual(results['chunks, extensions and trailers']?.trailers, ['X-T', '1', 'x-t', '2']);
  assert.equal(results['a body until the end of the connection']?.body, 'all of it');
  assert.deepEqual(results['informational answers']?.informational, [
    [100, []],
    [103, ['Link', '</a>']],
  ]);
});

test('ResponseParser hands over at a 101 that was asked for, with the bytes behind it (RFC 9110 section 7.8)', () => {
  const result = readText(`${SWITCH}\x81\x00`, { upgrade: 'websocket' });
  assert.deepEqual([result.state, result.surplus, result.head], ['switched', 2, null]);
});

test('ResponseParser leaves surplus bytes behind the message (DESIGN 6)', () => {
  for (const [name, [text, asked]] of Object.entries(VALID)) {
    if (asked?.closes === true) continue;
    const result = readText(`${text}HTTP/1.1 200 OK\r\n`, asked);
    assert.deepEqual([result.state, result.surplus], ['complete', 17], name);
  }
});

for (const [name, [text, fault, asked]] of Object.entries(REFUSED)) {
  test(`ResponseParser refuses ${name} (DESIGN 6, RFC 9112)`, () => {
    const result = readText(text, asked);
    assert.equal(result.state, 'failed');
    assert.match(result.fault ?? '', fault);
  });
}

test('ResponseParser accepts exactly the limits (64 KiB of head, 200 headers, 8 informational)', () => {
  const frame = `${OK}Content-Length: 0\r\nA: \r\n\r\n`;
  const full = frame.replace('A: ', `A: ${'b'.repeat(64 * 1024 - frame.length)}`);
  assert.equal(full.length, 64 * 1024);
  assert.equal(readText(full).state, 'complete');
  assert.equal(readText(full.replace('A: ', 'A: b')).state, 'failed');
  assert.equal(readText(`${OK}${'A: b\r\n'.repeat(200)}\r\n`, { closes: true }).state, 'complete');
  const informed = `${'HTTP/1.1 103 X\r\n\r\n'.repeat(8)}${OK}Content-Length: 0\r\n\r\n`;
  assert.equal(readText(informed).state, 'complete');
});

test('ResponseParser gives the same result wherever the bytes are split (DESIGN 6)', () => {
  const cases = [
    ...Object.values(VALID),
    ...Object.values(REFUSED).map(([text, , asked]) => [text, asked] as const),
  ];
  for (const [text, asked] of cases) {
    const bytes = Buffer.from(`${text}surplus`, 'latin1');
    const whole = read([bytes], asked);
    if (bytes.length > 2_000) continue;
    assert.deepEqual(read(split(bytes, [...bytes.keys()]), asked), whole, text);
    for (let cut = 1; cut < bytes.length; cut += 1)
      assert.deepEqual(read(split(bytes, [cut]), asked), whole, text);
  }
  const any = fc.constantFrom(...cases);
  fc.assert(
    fc.property(any, fc.array(fc.nat(), { maxLength: 8 }), ([text, asked], cuts) => {
      const bytes = Buffer.from(text, 'latin1');
      assert.deepEqual(read(split(bytes, cuts), asked), read([bytes], asked));
    }),
    { numRuns: 500 },
  );
});

test('ResponseParser never throws, whatever the bytes (DESIGN 6)', () => {
  const words = [
    OK,
    CHUNKED,
    '\r\n',
    '\r',
    '\n',
    ': ',
    'Content-Length',
    'Transfer-Encoding',
    'chunked',
    '0',
    '5',
    'f;',
    '\0',
  ];
  const pieces = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(...words).map((word) => Buffer.from(word, 'latin1')),
    ),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(pieces, fc.constantFrom('GET', 'HEAD'), fc.boolean(), (parts, method, closes) => {
      const whole = read([Buffer.concat(parts)], { method, closes });
      assert.deepEqual(read(parts, { method, closes }), whole);
      if (closes) assert.ok(whole.state === 'complete' || whole.state === 'failed');
    }),
    { numRuns: 2_000 },
  );
});

test('ResponseParser takes time in proportion to the bytes, also one byte at a time (DESIGN 6)', () => {
  const bytes = Buffer.from(`${OK}A: ${'b'.repeat(60_000)}\r\nContent-Length: 0\r\n\r\n`, 'latin1');
  const before = process.cpuUsage();
  assert.equal(read([...bytes.keys()].map((at) => bytes.subarray(at, at + 1))).state, 'complete');
  const { user, system } = process.cpuUsage(before);
  assert.ok((user + system) / 1_000 < 2_000);
});

test('ResponseParser drops trailers that are too many or too large, and the answer before them is whole', () => {
  for (const trailers of [
    'A: b\r\n'.repeat(201),
    `A: ${'b'.repeat(70_000)}\r\n`,
    `A: ${'b'.repeat(100)}\r\n`.repeat(900),
  ]) {
    let body = '';
    const parser = new ResponseParser({
      onBody: (chunk, from, to) => (body += chunk.toString('latin1', from, to)),
      onHead: () => {},
      onInformational: () => {},
    });
    parser.begin('GET', null);
    const bytes = Buffer.from(`${CHUNKED}2\r\nok\r\n0\r\n${trailers}\r\n`, 'latin1');
    for (let at = 0; at < bytes.length; at += 1_000) {
      const piece = bytes.subarray(at, at + 1_000);
      parser.feed(piece, piece.length);
    }
    assert.deepEqual(
      [parser.state, body, parser.trailers, parser.trailersDropped],
      ['complete', 'ok', [], true],
    );
  }
});
