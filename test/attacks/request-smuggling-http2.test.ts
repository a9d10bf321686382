// THREATS "Header smuggling" on the level of whole requests, by HTTP/2: what the gate writes down as HTTP/1.1
// is one request, whatever names and values its parts have.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import {
  DATA,
  END_STREAM,
  frame,
  GOAWAY,
  HEADERS,
  headersFrame,
  openFrames,
  RST_STREAM,
  type Field,
} from '../support/http2-frames.ts';
import { HOST, OPEN, watchedGates } from '../support/watched-gates.ts';

const SMUGGLED = `GET /smuggled HTTP/1.1\r\nHost: ${OPEN}\r\n\r\n`;
const gates = watchedGates();
beforeEach(gates.mark);

const BASE: readonly Field[] = [
  [':method', 'POST'],
  [':scheme', 'https'],
  [':path', '/'],
  [':authority', OPEN],
];
const withField = (name: string, value: string): readonly Field[] => [...BASE, [name, value]];
const replaced = (name: string, value: string): readonly Field[] =>
  BASE.map((field) => (field[0] === name ? [name, value] : field));

/** Heads of HTTP/2 that would mean something else when written down as HTTP/1.1. */
const DOWNGRADES: readonly (readonly [name: string, fields: readonly Field[], body?: string])[] = [
  ['transfer-encoding', withField('transfer-encoding', 'chunked'), `0\r\n\r\n${SMUGGLED}`],
  ['connection', withField('connection', 'transfer-encoding'), ''],
  ['a length that is too short', withField('content-length', '0'), SMUGGLED],
  ['a length that is too long', withField('content-length', '999'), 'abc'],
  ['two lengths', [...withField('content-length', '3'), ['content-length', '4']], 'abc'],
  ['a length that is no number', withField('content-length', '3, 3'), 'abc'],
  ['an upper-case name', withField('Transfer-Encoding', 'chunked'), ''],
  ['a request line in the path', replaced(':path', `/ HTTP/1.1\r\nHost: ${OPEN}\r\n\r\nGET /smuggled`), ''],
  ['a blank in the path', replaced(':path', '/ HTTP/1.1 x'), ''],
  ['a fragment in the path', replaced(':path', '/a#b'), ''],
  ['a path without a slash', replaced(':path', 'smuggled'), ''],
  ['an absolute address as path', replaced(':path', `https://${OPEN}/smuggled`), ''],
  ['an empty path', replaced(':path', ''), ''],
  ['a request line in the method', replaced(':method', 'GET /smuggled HTTP/1.1\r\nX: y\r\n\r\nPOST'), ''],
  ['a blank in the method', replaced(':method', 'GET /smuggled'), ''],
  ['CR and LF in the authority', replaced(':authority', `${OPEN}\r\nX: y`), ''],
  ['userinfo in the authority', replaced(':authority', `none.share.localhost@${OPEN}`), ''],
  ['a path in the authority', replaced(':authority', `${OPEN}/smuggled`), ''],
  ['a host unlike the authority', withField('host', HOST), ''],
  ['two hosts', [...withField('host', OPEN), ['host', OPEN]], ''],
  ['a pseudo header twice', withField(':path', '/smuggled'), ''],
  ['a pseudo header of an answer', withField(':status', '200'), ''],
  ['a pseudo header that nobody knows', withField(':x', 'y'), ''],
  ['a pseudo header behind a header', [...BASE.slice(0, 3), ['x', 'y'], BASE[3]!], ''],
  ['a pseudo header with GET that is CONNECT’s', withField(':protocol', 'websocket'), ''],
];

/** Fields that HTTP/2's own parser leaves out of the request (nghttp2), as it may. */
const DROPPED: readonly (readonly [what: string, name: string, value: string])[] = [
  ['CR and LF in a value', 'planted', 'a\r\nTransfer-Encoding: chunked'],
  ['LF in a value', 'planted', 'a\nTransfer-Encoding: chunked'],
  ['NUL in a value', 'planted', 'a\0b'],
  ['CR and LF in a name', 'planted: y\r\ntransfer-encoding', 'chunked'],
  ['a colon in a name', 'transfer-encoding: chunked\r\nplanted', 'y'],
  ['a blank in a name', 'planted ', 'chunked'],
  ['a name without letters', '', 'planted'],
];

describe('Request smuggling: HTTP/2 written down as HTTP/1.1', () => {
  for (const [name, fields, body = ''] of DOWNGRADES)
    test(name, async (t) => {
      const visitor = await openFrames(t, gates.secure().port, OPEN);
      visitor.send(headersFrame(1, fields, true), frame(DATA, END_STREAM, 1, Buffer.from(body, 'latin1')));
      const answer = await visitor.wait(
        ({ type, stream }) => type === GOAWAY || (stream === 1 && (type === HEADERS || type === RST_STREAM)),
      );
      // A head that answers 200 is one byte long in its status: the index 8 of HPACK's table.
      assert.notEqual(
        answer?.type === HEADERS ? answer.payload[0] : null,
        0x88,
        'not answered as if it were fine',
      );
      assert.ok(!gates.requests().some((line) => line.includes('smuggled')), gates.requests().join());
      assert.doesNotMatch(gates.received(), /smuggled|(?:^|\r\n)0\r\n\r\n/);
    });

  for (const [what, name, value] of DROPPED)
    test(what, async (t) => {
      const visitor = await openFrames(t, gates.secure().port, OPEN);
      visitor.send(headersFrame(1, [[':method', 'GET'], ...BASE.slice(1), [name, value]]));
      await visitor.wait(
        ({ type, stream }) => type === GOAWAY || (stream === 1 && (type === HEADERS || type === RST_STREAM)),
      );
      assert.doesNotMatch(gates.received(), /chunked|planted/i);
    });
});
