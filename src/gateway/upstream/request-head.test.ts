import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { writeLastChunk, writeRequestHead } from './request-head.ts';
import { WrittenFields } from './written-fields.ts';
import type { UpstreamRequest } from './upstream-request.ts';

const GET: UpstreamRequest = {
  method: 'GET',
  target: '/a%2Fb?c=\xe9',
  headers: ['Host', 'a.test', 'x-Y', '', 'Cookie', 'a=1; b="2"'],
  body: 'none',
  trailersAllowed: false,
  upgrade: null,
};

test('writeRequestHead() writes target and headers byte for byte and owns the framing (DESIGN 3, RFC 9112)', () => {
  const head = 'GET /a%2Fb?c=\xe9 HTTP/1.1\r\nHost: a.test\r\nx-Y: \r\nCookie: a=1; b="2"\r\n';
  assert.equal(writeRequestHead(GET), `${head}\r\n`);
  assert.equal(writeRequestHead({ ...GET, body: { length: 0 } }), `${head}Content-Length: 0\r\n\r\n`);
  assert.equal(writeRequestHead({ ...GET, body: 'chunked' }), `${head}Transfer-Encoding: chunked\r\n\r\n`);
  assert.equal(
    writeRequestHead({ ...GET, trailersAllowed: true }),
    `${head}Connection: TE\r\nTE: trailers\r\n\r\n`,
  );
  const upgrade = `${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
  assert.equal(writeRequestHead({ ...GET, upgrade: 'websocket' }), upgrade);
});

const REFUSED: Readonly<Record<string, Partial<UpstreamRequest>>> = {
  'an empty method': { method: '' },
  'a method with a space': { method: 'GET /x' },
  CONNECT: { method: 'CONNECT' },
  'an empty target': { target: '' },
  'a target with a space': { target: '/a b' },
  'a target with a line break': { target: '/a\r\nX:' },
  'a target with a NUL': { target: '/\0' },
  'a target that latin1 would change': { target: '/\u010d' },
  'no Host': { headers: ['A', 'b'] },
  'two Hosts': { headers: ['Host', 'a', 'HOST', 'a'] },
  'a value with CR LF': { headers: ['Host', 'a', 'B', 'c\r\nD: e'] },
  'a value with a bare LF': { headers: ['Host', 'a', 'B', 'c\nD: e'] },
  'a value with a bare CR': { headers: ['Host', 'a', 'B', 'c\rD'] },
  'a value with NUL': { headers: ['Host', 'a', 'B', '\0'] },
  'a value that latin1 would turn into CR LF': { headers: ['Host', 'a', 'B', 'c\u010d\u010aD: e'] },
  'a name with a colon': { headers: ['Host', 'a', 'B:', 'c'] },
  'an empty name': { headers: ['Host', 'a', '', 'c'] },
  'a name without a value': { headers: ['Host', 'a', 'B'] },
  'Content-Length': { headers: ['Host', 'a', 'content-LENGTH', '5'] },
  'Transfer-Encoding': { headers: ['Host', 'a', 'Transfer-Encoding', 'chunked'] },
  Connection: { headers: ['Host', 'a', 'Connection', 'svc-auth-email'] },
  Upgrade: { headers: ['Host', 'a', 'Upgrade', 'h2c'] },
  'Keep-Alive': { headers: ['Host', 'a', 'Keep-Alive', 'timeout=5'] },
  'Proxy-Connection': { headers: ['Host', 'a', 'Proxy-Connection', 'close'] },
  TE: { headers: ['Host', 'a', 'te', 'gzip'] },
  'an upgrade with a body': { upgrade: 'websocket', body: 'chunked' },
  'an upgrade to nonsense': { upgrade: 'a b' },
  'a negative length': { body: { length: -1 } },
  'a broken length': { body: { length: 1.5 } },
};

for (const [name, part] of Object.entries(REFUSED)) {
  test(`writeRequestHead() refuses ${name} (THREATS "Header smuggling")`, () => {
    assert.throws(() => writeRequestHead({ ...GET, ...part }), {
      name: 'UpstreamError',
      code: 'request_refused',
    });
  });
}

test('writeRequestHead() never writes more lines than it was given headers (THREATS "Header smuggling")', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 12 });
  fc.assert(
    fc.property(text, text, text, (target, name, value) => {
      let head: string;
      try {
        head = writeRequestHead({ ...GET, target, headers: ['Host', 'a', name, value] });
      } catch {
        return;
      }
      const sent = Buffer.from(head, 'latin1').toString('latin1');
      assert.equal(sent, head);
      assert.deepEqual(sent.split(/[\r\n]+/), [`GET ${target} HTTP/1.1`, 'Host: a', `${name}: ${value}`, '']);
    }),
    { numRuns: 2_000 },
  );
});

test('writeRequestHead() puts written fields behind the headers, and they can carry nothing that headers cannot (THREATS "Header smuggling")', () => {
  const written = new WrittenFields(['A', 'b', 'C', 'd']);
  const head = 'GET / HTTP/1.1\r\nHost: a\r\nA: b\r\nC: d\r\n\r\n';
  assert.equal(writeRequestHead({ ...GET, target: '/', headers: ['Host', 'a'], written }), head);
  assert.throws(() => Object.assign(written, { text: 'E: f\r\n' }), TypeError);
  for (const unclean of [['Host', 'a'], ['A', 'b\r\nC: d'], ['A b', 'c'], ['A'], ['Content-Length', '1']])
    assert.throws(() => new WrittenFields(unclean), { code: 'request_refused' }, unclean.join());
});

test('writeLastChunk() writes trailers and refuses what belongs into the head (RFC 9110 section 6.5.1)', () => {
  assert.equal(writeLastChunk([]), '0\r\n\r\n');
  assert.equal(writeLastChunk(['X-T', '1']), '0\r\nX-T: 1\r\n\r\n');
  for (const name of ['Content-Length', 'transfer-encoding', 'Host', 'Connection', 'a b']) {
    assert.throws(() => writeLastChunk([name, '1']), { code: 'request_refused' }, name);
  }
  assert.throws(() => writeLastChunk(['A', 'b\r\nC: d']), { code: 'request_refused' });
});
