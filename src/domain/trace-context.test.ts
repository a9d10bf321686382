import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseTraceParent, parseTraceState, traceParentText } from './trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test('parseTraceParent() takes what is well-formed, of later versions too (W3C Trace Context 3.2)', () => {
  const sampled = { traceId: TRACE, spanId: SPAN, isSampled: true };
  assert.deepEqual(parseTraceParent(`00-${TRACE}-${SPAN}-01`), sampled);
  assert.deepEqual(parseTraceParent(`00-${TRACE}-${SPAN}-00`), { ...sampled, isSampled: false });
  assert.deepEqual(parseTraceParent(`00-${TRACE}-${SPAN}-ff`), sampled);
  assert.deepEqual(parseTraceParent(`cc-${TRACE}-${SPAN}-01-what-comes`), sampled);
  assert.equal(traceParentText(sampled), `00-${TRACE}-${SPAN}-01`);
});

for (const text of [
  '',
  '00',
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-1`,
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${TRACE}-${SPAN}-01 `,
  ` 00-${TRACE}-${SPAN}-01`,
  `ff-${TRACE}-${SPAN}-01`,
  `cc-${TRACE}-${SPAN}-01.what`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-0g`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
])
  test(`parseTraceParent() refuses "${text}"`, () => {
    assert.equal(parseTraceParent(text), null);
  });

test('parseTraceState() passes on what is well-formed, and nothing else (W3C Trace Context 3.3)', () => {
  assert.equal(
    parseTraceState('rojo=00f067aa0ba902b7, congo=t61rcWkgMzE'),
    'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
  );
  assert.equal(parseTraceState('fw529a3039@dt=a b,,x=1'), 'fw529a3039@dt=a b,x=1');
  const many = Array.from({ length: 33 }, (_, index) => `k${index}=v`);
  assert.equal(parseTraceState(many.slice(1).join(',')), many.slice(1).join(','));
  for (const text of [
    '',
    ',',
    'a',
    'A=1',
    '=1',
    'a=',
    'a=1,a=2',
    'a=b=c',
    'a=\u00e9',
    'a=\r\nb: c',
    many.join(','),
  ])
    assert.equal(parseTraceState(text), null, text);
  assert.equal(parseTraceState(`a=${'x'.repeat(600)}`), null);
});

test('whatever comes in, what goes out is one line of visible characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const parent = parseTraceParent(text);
      if (parent !== null) assert.match(traceParentText(parent), /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
      assert.match(parseTraceState(text) ?? 'a=b', /^[\x20-\x7e]+$/);
    }),
  );
});
