import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../domain/id.ts';
import { shortHash } from '../domain/secret.ts';
import type { Session } from '../domain/session.ts';
import { createSeal } from '../login/seal.ts';
import { sealSessions } from '../login/session-cookie.ts';
import { bindingsIn, NO_BINDINGS } from './binding.ts';
import { createSessionsOf } from './sessions-of.ts';

const SEAL = createSeal([{ signingKey: 's'.repeat(32), encryptionKey: 'e'.repeat(32) }]);
const SHARE = newId('shr');
const HERE = shortHash('here');
const BINDINGS = bindingsIn('__Host-svc-auth-bind=here');

function session(more: Partial<Session> = {}): Session {
  return {
    id: newId('ses'),
    shareId: SHARE,
    providerGeneration: shortHash('g'),
    email: 'ada@example.com',
    expiresAt: 2_000_000,
    bindingHash: HERE,
    ...more,
  };
}

function picked(...cookies: string[]): Session | null {
  return candidates(...cookies)[0] ?? null;
}

function candidates(...cookies: string[]): readonly Session[] {
  const cookie = cookies.map((value) => `svc-auth-session=${value}`).join('; ');
  return createSessionsOf(SEAL, 'svc-auth-session')({ cookie, shareId: SHARE, bindings: BINDINGS });
}

test('createSessionsOf() picks the session of the share from the list (2.5)', () => {
  const mine = session();
  assert.deepEqual(picked(sealSessions(SEAL, [session({ shareId: newId('shr') }), mine])), mine);
  assert.equal(picked(sealSessions(SEAL, [session({ shareId: newId('shr') })])), null);
  assert.deepEqual(
    createSessionsOf(SEAL, 'svc-auth-session')({ cookie: null, shareId: SHARE, bindings: NO_BINDINGS }),
    [],
  );
});

test('createSessionsOf() prefers the one bound to this browser to a planted newer one (THREATS "Session and cookie")', () => {
  const mine = session();
  const planted = session({ bindingHash: shortHash('elsewhere'), expiresAt: 9_000_000 });
  assert.deepEqual(picked(sealSessions(SEAL, [planted]), sealSessions(SEAL, [mine])), mine);
  assert.deepEqual(picked(sealSessions(SEAL, [mine]), sealSessions(SEAL, [planted])), mine);
});

test('createSessionsOf() prefers the newer of two that are as good', () => {
  const newer = session({ expiresAt: 3_000_000 });
  assert.deepEqual(picked(sealSessions(SEAL, [session()]), sealSessions(SEAL, [newer])), newer);
});

test('createSessionsOf() gives every candidate once, the likeliest first (DESIGN "Session cookie")', () => {
  const [old, young] = [session(), session({ expiresAt: 3_000_000 })];
  const planted = session({ bindingHash: shortHash('elsewhere'), expiresAt: 9_000_000 });
  const [first, second] = [sealSessions(SEAL, [old, planted]), sealSessions(SEAL, [young, old])];
  assert.deepEqual(candidates(first, second), [young, old, planted]);
});
