import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { newId } from '../domain/id.ts';
import { randomToken } from '../domain/secret.ts';
import type { Session } from '../domain/session.ts';
import { createSeal } from './seal.ts';
import { openSessions, sealSessions } from './session-cookie.ts';

const seal = createSeal([{ signingKey: 's'.repeat(32), encryptionKey: 'e'.repeat(24) }]);

function session(over: Partial<Session> = {}): Session {
  return {
    id: newId('ses'),
    shareId: newId('shr'),
    providerGeneration: randomToken(),
    email: 'somebody.ordinary@company.example.com',
    expiresAt: 1_800_000_000_000,
    bindingHash: randomToken(),
    ...over,
  };
}

test('sealSessions() keeps every field of each session, in order (2.5)', () => {
  const sessions = [session(), session({ bindingHash: null, email: 'a@b' }), session()];
  assert.deepEqual(openSessions(seal, sealSessions(seal, sessions)), sessions);
  assert.deepEqual(openSessions(seal, sealSessions(seal, [])), []);
});

test('sealSessions() fits at least 20 sessions into 3,800 bytes (3 Session cookie)', () => {
  const sessions = Array.from({ length: 20 }, () => session());
  const sealed = sealSessions(seal, sessions);
  assert.ok(sealed.length <= 3800, String(sealed.length));
  assert.deepEqual(openSessions(seal, sealed), sessions);
});

test('sealSessions() never passes 3,800 bytes: the oldest leave, the newest stay (3 Session cookie)', () => {
  fc.assert(
    fc.property(fc.nat(254 - 6), fc.nat(60), (length, count) => {
      const email = `${'a'.repeat(length)}@b.com`;
      const sessions = Array.from({ length: count }, () => session({ email }));
      const sealed = sealSessions(seal, sessions);
      assert.ok(sealed.length <= 3800);
      const opened = openSessions(seal, sealed)!;
      assert.deepEqual(opened, sessions.slice(0, opened.length));
      assert.ok(opened.length >= Math.min(count, 8));
    }),
    { numRuns: 50 },
  );
});

test('openSessions() is null for any malformed content, sealed rightly or not, and never throws', () => {
  const whole = seal.open('session', sealSessions(seal, [session(), session({ bindingHash: null })]))!;
  const random = fc.uint8Array({ maxLength: 300 });
  const cut = fc.nat(whole.length - 1).map((at) => whole.subarray(0, at));
  fc.assert(
    fc.property(fc.oneof(random, cut), (bytes) => {
      const opened = openSessions(seal, seal.seal('session', bytes));
      for (const one of opened ?? []) assert.match(one.email, /^[!-~\p{L}\p{M}\p{Nd}]{3,254}$/u);
    }),
  );
  assert.equal(openSessions(seal, seal.seal('session', whole.subarray(0, whole.length - 1))), null);
  assert.equal(openSessions(seal, seal.seal('session', Buffer.concat([whole, Buffer.of(0)]))), null);
  assert.equal(openSessions(seal, 'nothing'), null);
});

test('openSessions() refuses an email that could not be a header value (THREATS "Header smuggling")', () => {
  for (const email of [
    'a@b\r\nsvc-auth-email: admin@c',
    'a b@c',
    'Ä@b.example',
    'a\u0308@b.example',
    'a\u2028@b.example',
    '\u0000@b',
  ])
    assert.equal(openSessions(seal, sealSessions(seal, [session({ email })])), null, JSON.stringify(email));
});
