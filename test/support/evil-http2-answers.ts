// What an HTTP/2 backend may say that breaks its own exchange, or its own connection.

import {
  block,
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  type Field,
  frame,
  HEADERS,
  headersFrame,
  number32,
  PING,
  RST_STREAM,
  SETTINGS,
  WINDOW_UPDATE,
} from './http2-frames.ts';

export const OK: readonly Field[] = [[':status', '200']];

export function head(stream: number, fields: readonly Field[] = OK, more = true): Buffer {
  return headersFrame(stream, fields, more);
}

export function reset(stream: number, code: number): Buffer {
  return frame(RST_STREAM, 0, stream, number32(code));
}

/** In the place of an answer; and what becomes of the exchange. */
export const EVIL_ANSWERS: readonly (readonly [
  name: string,
  frames: (stream: number) => readonly Buffer[],
  'reset' | 'protocol',
])[] = [
  ['names in upper case', (stream) => [head(stream, [...OK, ['X-Up', 'a']], false)], 'reset'],
  [
    'a header of the connection',
    (stream) => [head(stream, [...OK, ['connection', 'close']], false)],
    'reset',
  ],
  [
    'an encoding of the transfer',
    (stream) => [head(stream, [...OK, ['transfer-encoding', 'chunked']], false)],
    'reset',
  ],
  ['no status', (stream) => [head(stream, [['x', 'y']], false)], 'reset'],
  ['a status of 999', (stream) => [head(stream, [[':status', '999']], false)], 'protocol'],
  ['a switch of protocols', (stream) => [head(stream, [[':status', '101']], false)], 'reset'],
  ['a pseudo header of requests', (stream) => [head(stream, [...OK, [':path', '/']], false)], 'reset'],
  ['two heads', (stream) => [head(stream), head(stream)], 'reset'],
  [
    'less than announced',
    (stream) => [
      head(stream, [...OK, ['content-length', '9']]),
      frame(DATA, END_STREAM, stream, Buffer.from('x')),
    ],
    'reset',
  ],
  [
    'more than announced',
    (stream) => [
      head(stream, [...OK, ['content-length', '1']]),
      frame(DATA, END_STREAM, stream, Buffer.from('xyz')),
    ],
    'reset',
  ],
  [
    'a reset without an error in the middle',
    (stream) => [head(stream), frame(DATA, 0, stream, Buffer.from('half')), reset(stream, 0)],
    'reset',
  ],
  ['a reset without an error before the head', (stream) => [reset(stream, 0)], 'reset'],
  [
    'hints without end',
    (stream) => Array.from({ length: 5_000 }, () => head(stream, [[':status', '103']])),
    'protocol',
  ],
  [
    '500 headers',
    (stream) => [head(stream, [...OK, ...Array.from({ length: 500 }, (): Field => ['x', 'y'])], false)],
    'reset',
  ],
  [
    'a head of 300 KB',
    (stream) =>
      splitHead(stream, [...OK, ...Array.from({ length: 20 }, (): Field => ['x', 'y'.repeat(15_000)])]),
    'reset',
  ],
  [
    'trailers of 300 KB',
    (stream) => [
      head(stream),
      ...splitHead(
        stream,
        Array.from({ length: 20 }, (): Field => ['x', 'y'.repeat(15_000)]),
      ),
    ],
    'reset',
  ],
  [
    'CONTINUATION without end',
    (stream) => [
      frame(HEADERS, 0, stream, block(OK)),
      ...Array.from({ length: 5_000 }, () => frame(CONTINUATION, 0, stream, block([['x', 'y']]))),
    ],
    'reset',
  ],
  [
    'heads of streams that nobody opened',
    () => Array.from({ length: 1_000 }, (_, at) => head(101 + 2 * at, OK, false)),
    'reset',
  ],
  [
    'a push',
    (stream) => [
      frame(
        5,
        END_HEADERS,
        stream,
        Buffer.concat([
          number32(2),
          block([
            [':method', 'GET'],
            [':scheme', 'http'],
            [':path', '/'],
            [':authority', 'a'],
          ]),
        ]),
      ),
    ],
    'reset',
  ],
  ['settings without end', () => Array.from({ length: 5_000 }, () => frame(SETTINGS, 0, 0)), 'reset'],
  [
    'pings without end',
    () => Array.from({ length: 5_000 }, () => frame(PING, 0, 0, Buffer.alloc(8))),
    'reset',
  ],
  [
    'a window beyond its bound',
    (stream) => [
      frame(WINDOW_UPDATE, 0, stream, number32(2 ** 31 - 1)),
      frame(WINDOW_UPDATE, 0, stream, number32(2 ** 31 - 1)),
    ],
    'reset',
  ],
  ['data on stream 0', () => [frame(DATA, 0, 0, Buffer.from('x'))], 'reset'],
  ['a frame that is too long', (stream) => [frame(DATA, 0, stream, Buffer.alloc(20_000))], 'reset'],
  ['no frames', () => [Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')], 'reset'],
];

/** In frames of at most 16 KB, as the protocol wants it. */
function splitHead(stream: number, fields: readonly Field[]): readonly Buffer[] {
  const bytes = block(fields);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 16_000) }, (_, at) =>
    bytes.subarray(at * 16_000, (at + 1) * 16_000),
  );
  return pieces.map((piece, at) => {
    const flags = (at === pieces.length - 1 ? END_HEADERS : 0) | (at === 0 ? END_STREAM : 0);
    return frame(at === 0 ? HEADERS : CONTINUATION, flags, stream, piece);
  });
}
