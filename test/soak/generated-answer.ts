// Answers as backends write them (RFC 9112), and broken ones made of them, for tests that compare two
// readers.

import * as fc from 'fast-check';

/** `text` is latin1. */
export type GeneratedAnswer = { readonly method: string; readonly text: string };

/**
 * Answers that every reader must take. Informational ones are 102 to 199: some clients refuse an unexpected
 * 100.
 */
export function validAnswer(): fc.Arbitrary<GeneratedAnswer> {
  return fc
    .record({
      method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST'),
      informational: fc.array(fc.tuple(fc.integer({ min: 102, max: 199 }), fields()), { maxLength: 3 }),
      status: fc.oneof(
        fc.constantFrom(200, 204, 206, 301, 304, 404, 500),
        fc.integer({ min: 200, max: 599 }),
      ),
      reason: fc.stringMatching(/^[ -~]{0,12}$/),
      head: fields(),
      body: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      framing: fc.constantFrom<Framing[]>('length', 'length', 'chunked', 'chunked', 'close'),
      cuts: fc.array(fc.nat(300), { maxLength: 5 }),
      extension: fc.constantFrom('', '', ';a', ';a=b', ';a="b c";d'),
      trailers: fields(),
      lower: fc.boolean(),
      where: fc.nat(),
    })
    .map((parts) => ({ method: parts.method, text: render(parts) }));
}

/** One to three small injuries, each at any place. */
export function brokenAnswer(): fc.Arbitrary<GeneratedAnswer> {
  const injury = fc.record({
    kind: fc.constantFrom<Injury[]>('insert', 'insert', 'replace', 'delete', 'repeat', 'swap'),
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 6 }),
    text: fc.oneof(
      fc.constantFrom(...POISON),
      fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
    ),
    // Most of what can go wrong is in the head, which is mostly shorter than this.
    near: fc.boolean(),
  });
  return fc
    .tuple(validAnswer(), fc.array(injury, { minLength: 1, maxLength: 3 }))
    .map(([{ method, text }, injuries]) => ({ method, text: injuries.reduce(injure, text) }));
}

type Framing = 'length' | 'chunked' | 'close';
type Field = readonly [name: string, value: string];
type Injury = 'insert' | 'replace' | 'delete' | 'repeat' | 'swap';

type Parts = {
  readonly method: string;
  readonly informational: readonly (readonly [number, readonly Field[]])[];
  readonly status: number;
  readonly reason: string;
  readonly head: readonly Field[];
  readonly body: string;
  readonly framing: Framing;
  readonly cuts: readonly number[];
  readonly extension: string;
  readonly trailers: readonly Field[];
  readonly lower: boolean;
  readonly where: number;
};

/** `X-` keeps generated names away from those that mean something. */
function fields(): fc.Arbitrary<Field[]> {
  const name = fc.stringMatching(/^X-[!#$%&'*+.^_`|~0-9A-Za-z-]{0,8}$/);
  const known = fc.constantFrom('Date', 'Set-Cookie', 'Server', 'ETag', 'vary');
  const value = fc.oneof(
    fc.stringMatching(/^(?:[!-~](?:[\t -~]{0,20}[!-~])?)?$/),
    fc.constantFrom('\xe9\xff', 'a=b; c="d"'),
  );
  return fc.array(fc.tuple(fc.oneof(name, known), value), { maxLength: 6 });
}

function render(parts: Parts): string {
  const { method, status, framing, body, lower } = parts;
  const lines = parts.head.map(writeField);
  const bodiless = method === 'HEAD' || status === 204 || status === 304;
  const name = (text: string): string => (lower ? text.toLowerCase() : text);
  const announced =
    framing === 'length'
      ? [name('Content-Length'), String(body.length)]
      : [name('Transfer-Encoding'), 'chunked'];
  if (framing !== 'close' && status !== 204) {
    lines.splice(parts.where % (lines.length + 1), 0, writeField(announced as unknown as Field));
  }
  const first = parts.informational.map(
    ([code, more]) => `HTTP/1.1 ${code} X\r\n${more.map(writeField).join('')}\r\n`,
  );
  const head = `HTTP/1.1 ${status} ${parts.reason}\r\n${lines.join('')}\r\n`;
  return `${first.join('')}${head}${bodiless ? '' : framing === 'chunked' ? renderChunks(parts) : body}`;
}

function renderChunks({ body, cuts, extension, trailers }: Parts): string {
  const ends = [...cuts.map((cut) => cut % (body.length + 1)), body.length].toSorted((a, b) => a - b);
  let text = '';
  let start = 0;
  for (const end of ends) {
    if (end > start) text += `${(end - start).toString(16)}${extension}\r\n${body.slice(start, end)}\r\n`;
    start = end;
  }
  return `${text}0${extension}\r\n${trailers.map(writeField).join('')}\r\n`;
}

function writeField([name, value]: Field): string {
  return `${name}: ${value}\r\n`;
}

type Wound = {
  readonly kind: Injury;
  readonly at: number;
  readonly length: number;
  readonly text: string;
  readonly near: boolean;
};

function injure(text: string, { kind, at, length, text: poison, near }: Wound): string {
  const place = at % (Math.min(text.length, near ? 150 : Infinity) + 1);
  const [before, part, after] = [
    text.slice(0, place),
    text.slice(place, place + length),
    text.slice(place + length),
  ];
  switch (kind) {
    case 'insert':
      return before + poison + part + after;
    case 'replace':
      return before + poison + after;
    case 'delete':
      return before + after;
    case 'repeat':
      return before + part + part + after;
    case 'swap':
      return before + after.slice(0, length) + part + after.slice(length);
  }
}

const POISON = [
  '\r\n',
  '\r',
  '\n',
  '\r\n\r\n',
  '\n\n',
  '\r\n ',
  '\0',
  ' ',
  '\t',
  ':',
  ' :',
  ';',
  '0',
  '1',
  'f',
  ',',
  '"',
  'Content-Length: 5\r\n',
  'Content-Length: 0\r\n',
  'content-length: 5, 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: gzip, chunked\r\n',
  'Transfer-Encoding: identity\r\n',
  'Connection: close\r\n',
  'Upgrade: websocket\r\n',
  'HTTP/1.0 200 OK\r\n',
  'HTTP/1.1 101 X\r\n\r\n',
  '0\r\n\r\n',
  '5\r\nhello\r\n',
];
