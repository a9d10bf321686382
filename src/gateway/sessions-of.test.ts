import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../domain/id.ts';
import { shortHash } from '../domain/secret.ts';
import type { Session } from '../domain/session.ts';
import { createSeal } from '../login/seal.ts';
import { hostSessionCookie } from '../login/host-session-cookie.ts';
import { sealSessions } from '../login/session-cookie.ts';
import { bindingsIn, NO_BINDINGS } from './binding.ts';
import { createSessionsOf } from './sessions-of.ts';

const SEAL = createSeal([{ signingKey: 's'.repeat(32), encryptionKey: 'e'.repeat(32) }]);
const COOKIES = { cookieName: 'svc-auth-session', cookieDomain: 'share.example.com' };
const HOST = 'demo.share.example.com';
const AWAY = 'app.customer.com';
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
  return createSessionsOf(SEAL, COOKIES)({ cookie, host: HOST, shareId: SHARE, bindings: BINDINGS });
}

test('createSessionsOf() picks the session of the share from the list (2.5)', () => {
  const mine = session();
  assert.deepEqual(picked(sealSessions(SEAL, [session({ shareId: newId('shr') }), mine])), mine);
  assert.equal(picked(sealSessions(SEAL, [session({ shareId: newId('shr') })])), null);
  assert.deepEqual(
    createSessionsOf(SEAL, COOKIES)({ cookie: null, host: HOST, shareId: SHARE, bindings: NO_BINDINGS }),
    [],
  );
});

test('createSessionsOf() prefers the one bound to this browser to a planted newer one (THREATS "Session and cookie")', () => {
  const mine = session();
  const planted = session({ bindingHash: shortHash('elsewhere'), expiresAt: 9_000_000 });
  assert.deepEqual(picked(sealSessions(SEAL, [planted]), sealSessions(SEAL, [mine])), mine);
  assert.deepEqual(picked(sealSessions(SEAL, [mine]), sealSessions(SEAL, [planted])), mine);
});

test('createSessionsOf() believes no cookie for the end that it has in common with a good one (THREATS "Session and cookie")', () => {
  const sessionsOf = createSessionsOf(SEAL, COOKIES);
  const open = (value: string) =>
    sessionsOf({ cookie: `svc-auth-session=${value}`, host: HOST, shareId: SHARE, bindings: BINDINGS });
  const mine = session();
  const good = sealSessions(SEAL, [mine]);
  const middle = Math.floor(good.length / 2);
  const changed = good.slice(0, middle) + (good[middle] === 'A' ? 'B' : 'A') + good.slice(middle + 1);
  for (let time = 0; time < 2; time++) {
    assert.deepEqual(open(good), [mine]);
    assert.deepEqual(open(changed), []);
  }
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

test('createSessionsOf() takes at a host outside cookie_domain its own cookie alone, and at no other host (2.5)', () => {
  const sessionsOf = createSessionsOf(SEAL, COOKIES);
  const mine = session();
  const own = hostSessionCookie(
    { seal: SEAL, cookieName: COOKIES.cookieName, now: 0 },
    { host: AWAY, session: mine },
  ).split(';')[0]!;
  const shared = `svc-auth-session=${sealSessions(SEAL, [mine])}`;
  const at = (host: string, cookie: string) =>
    sessionsOf({ cookie, host, shareId: SHARE, bindings: BINDINGS }).map(({ id }) => id);
  const value = own.slice(own.indexOf('=') + 1);
  assert.match(own, /^__Host-svc-auth-session=/);
  // Twice, since what was opened is remembered.
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(at(AWAY, own), [mine.id]);
    assert.deepEqual(at(HOST, shared), [mine.id]);
    for (const [host, cookie] of [
      ['other.customer.com', own],
      ['share.example.com.evil.example', own],
      [HOST, own],
      [HOST, `svc-auth-session=${value}`],
      [AWAY, shared],
      [AWAY, `__Host-${shared}`],
      [AWAY, `svc-auth-session=${value}`],
    ] as const)
      assert.deepEqual(at(host, cookie), [], `${host} ${cookie.slice(0, 40)}`);
  }
});
