import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { fromPem, pem } from './pem.ts';

test('pem() writes what fromPem() and other tools read, of any length (RFC 7468)', requireAnyLength);

test('pem() writes the same where the engine has no base64 of its own', (t) => {
  const native = Object.getOwnPropertyDescriptor(Uint8Array.prototype, 'toBase64');
  if (native === undefined) return t.skip('this engine has none');
  Reflect.deleteProperty(Uint8Array.prototype, 'toBase64');
  t.after(() => Reflect.defineProperty(Uint8Array.prototype, 'toBase64', native));
  requireAnyLength();
});

function requireAnyLength(): void {
  for (const length of [1, 47, 48, 49, 8_191, 8_192, 8_193, 20_000]) {
    const der = randomBytes(length);
    const text = pem('CERTIFICATE REQUEST', der);
    const body = text.split('\n').slice(1, -2);
    assert.equal(body.join(''), der.toString('base64'));
    assert.ok(body.slice(0, -1).every((line) => line.length === 64));
    assert.deepEqual(fromPem('CERTIFICATE REQUEST', `before\n${text}after`), Uint8Array.from(der));
  }
}

test('fromPem() takes no other label, no half block and no other alphabet', () => {
  const text = pem('CERTIFICATE', Uint8Array.of(48, 0));
  assert.equal(fromPem('CERTIFICATE REQUEST', text), null);
  assert.equal(fromPem('CERTIFICATE', text.slice(0, -5)), null);
  assert.equal(fromPem('CERTIFICATE', text.replace('MAA=', '?!')), null);
});
