import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyCharacter } from '../../../../test/support/any-character.ts';
import { jsonLine, visible } from './visible.ts';

const STEERING = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

test('visible() writes out what could steer a terminal, and leaves the rest (The person’s view)', () => {
  assert.equal(visible('/ä?q=1', 50), '/ä?q=1');
  assert.equal(visible('\x1b[31mred\x9b2J\r\n', 50), '\\x1b[31mred\\x9b2J\\x0d\\x0a');
  assert.equal(visible('/\u202egnp.exe\u200b\ue000', 50), '/\\u{202e}gnp.exe\\u{200b}\\u{e000}');
  assert.equal(visible('abcdef', 3), 'abc…');
});

test('visible() and jsonLine() are never more than one line, and steer nothing, whatever they get (The person’s view)', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.nat(100), (text, most) => {
      assert.doesNotMatch(visible(text, most), STEERING);
      const line = jsonLine({ path: text });
      assert.doesNotMatch(line.slice(0, -1), STEERING);
      assert.deepEqual(JSON.parse(line), { path: text });
    }),
  );
});
