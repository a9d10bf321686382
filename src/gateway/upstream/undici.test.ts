// A short run of the comparison with undici; `npm run soak` runs a long one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzUpstream, openRig } from '../../../test/soak/upstream-fuzz.ts';

test('exchange() reads valid answers as undici does and takes nothing that undici refuses (DESIGN 6)', async () => {
  const counts = await fuzzUpstream(1_000);
  assert.equal(counts.valid, 500);
  assert.ok(counts.bothTook > 50 && counts.bothRefused > 50, JSON.stringify(counts));
});

test('exchange() takes blanks at the end of a value for no part of it, in the fields that say where an answer ends, too (RFC 9112 section 5)', async (t) => {
  const rig = await openRig();
  t.after(() => rig.close());
  const chunked = '5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n';
  for (const [field, body, trailers] of [
    ['Content-Length: 5', 'hello', []],
    ['Transfer-Encoding: chunked', chunked, ['X-Sum', '1']],
  ] as const)
    for (const blanks of ['', ' ', '\t', ' \t ']) {
      const text = `HTTP/1.1 200 OK\r\n${field}${blanks}\r\n\r\n${body}`;
      const [ours, theirs] = await rig.readBoth({ method: 'GET', text });
      assert.deepEqual([ours?.body, ours?.trailers], ['hello', trailers], JSON.stringify(text));
      assert.deepEqual(ours, theirs);
    }
});

test('exchange() discards a 100 that nobody asked for, like any other informational answer (RFC 9110 section 15.2.1)', async (t) => {
  const rig = await openRig();
  t.after(() => rig.close());
  const text = 'HTTP/1.1 100 Continue\r\nX-A: 1\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
  const [ours, theirs] = await rig.readBoth({ method: 'GET', text });
  assert.deepEqual([ours?.status, ours?.body], [200, 'hello']);
  assert.deepEqual(ours, theirs);
});
