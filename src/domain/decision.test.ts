// Contract section 3 as a table: every row of it that the gate decides, then what DESIGN 3 adds. The rows
// that the callback decides (code exchanged, session created or not) and the logout rows are tested in
// `login/`.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import {
  FACTS,
  FORWARD,
  HOUR,
  LOGIN,
  login,
  MINUTE,
  NOW,
  OWN,
  PROVIDER,
  runRows,
  SESSION,
  SHARE,
  SIBLING,
} from '../../test/support/decision-rows.ts';
import { shareLogin } from '../../test/support/share-login.ts';
import { decide, decideAgainAt } from './decision.ts';
import { newId } from './id.ts';
import { providerGeneration } from './provider-ref.ts';
import type { LiveSession } from './session.ts';
import { DEFAULT_CHECK_INTERVAL_MS, type Share } from './share.ts';

describe('decide(), contract section 3', () => {
  runRows([
    {
      name: 'no valid session cookie: the visitor is sent to log in (3 row 1)',
      session: null,
      expected: login('no_session'),
    },
    {
      name: 'session of an address that matches a pattern: forwarded (3 row 3)',
      login: { emailPatterns: ['*@other.com', '*@corp.com'] },
      expected: 'forward',
    },
    {
      name: 'session where no pattern is configured: forwarded (3 row 3)',
      login: { emailPatterns: [] },
      expected: 'forward',
    },
    {
      name: 'session whose address matches no pattern: refused, nothing forwarded (3 row 4)',
      login: { emailPatterns: ['*@other.com'] },
      expected: { kind: 'refuse', code: 'email_refused', email: 'ann@corp.com' },
    },
    {
      name: 'session not expired and check interval not reached: forwarded with its identity (3 row 5)',
      expected: FORWARD,
    },
    {
      name: 'session_lifetime elapsed this very moment: log in again (3 row 6)',
      session: { expiresAt: NOW },
      expected: login('session_expired'),
    },
    {
      name: 'session_lifetime elapsed long ago: log in again (3 row 6)',
      session: { expiresAt: NOW - HOUR },
      expected: login('session_expired'),
    },
    {
      name: 'one millisecond before session_lifetime elapses: forwarded (3 row 6)',
      session: { expiresAt: NOW + 1 },
      expected: 'forward',
    },
    {
      name: 'session_lifetime elapsed, though a check could refresh it: never extended (3 row 6)',
      session: { expiresAt: NOW, checkedAt: NOW - 3 * HOUR },
      expected: login('session_expired'),
    },
    {
      name: 'check interval reached and refresh supported: checked with the provider (3 row 7)',
      session: { checkedAt: NOW - 3 * HOUR },
      expected: 'recheck',
    },
    {
      name: 'check interval long over and refresh supported: checked with the provider (3 row 7)',
      session: { checkedAt: NOW - 5 * HOUR },
      expected: 'recheck',
    },
    {
      name: 'check interval reached and refresh not supported: log in again (3 row 8)',
      session: { checkedAt: NOW - 3 * HOUR, refreshable: false },
      expected: login('check_needs_login'),
    },
    {
      name: 'one millisecond before the check interval, refresh not supported: forwarded (3 row 8)',
      session: { checkedAt: NOW - 3 * HOUR + 1, refreshable: false },
      expected: { kind: 'forward', checkSoon: false },
    },
    {
      name: 'session ended by logout: log in again (3 row 9)',
      session: { ended: true },
      expected: login('session_ended'),
    },
    {
      name: 'session of another share: the login starts again (2.5)',
      session: { shareId: 'shr_2' },
      expected: login('other_share'),
    },
    {
      name: 'the default check interval is three hours (8)',
      login: { checkIntervalMs: DEFAULT_CHECK_INTERVAL_MS },
      session: { checkedAt: NOW - 3 * HOUR },
      expected: 'recheck',
    },
    {
      name: 'a changed check interval holds for sessions that began before (2.3)',
      login: { checkIntervalMs: 30 * MINUTE },
      expected: 'recheck',
    },
    {
      name: 'a share without a provider is open (2.3)',
      share: { login: null },
      session: null,
      expected: { kind: 'forward', session: null, checkSoon: false },
    },
    {
      name: 'a share without a provider carries no identity, whatever the cookie says (2.6)',
      share: { login: null },
      expected: { kind: 'forward', session: null },
    },
  ]);
});

describe('decide(), share and provider (DESIGN 2.3, 3)', () => {
  runRows([
    {
      name: 'a disabled share does not exist',
      share: { enabled: false },
      expected: { kind: 'refuse', code: 'share_unknown' },
    },
    {
      name: 'a disabled open share does not exist',
      share: { enabled: false, login: null },
      expected: { kind: 'refuse', code: 'share_unknown' },
    },
    {
      name: 'a missing provider closes the share',
      login: { provider: null },
      expected: { kind: 'refuse', code: 'provider_unusable' },
    },
    {
      name: 'a missing provider closes the share without a session too',
      login: { provider: null },
      session: null,
      expected: { kind: 'refuse', code: 'provider_unusable' },
    },
    {
      name: 'another issuer, client id or type is another provider',
      session: { providerGeneration: 'other' },
      expected: login('other_provider'),
    },
    {
      name: 'an ended session is not checked again',
      session: { ended: true, checkedAt: 0 },
      expected: login('session_ended'),
    },
    {
      name: 'patterns of another share say nothing about this one',
      session: { shareId: 'shr_2', email: 'x@y' },
      login: { emailPatterns: ['*@corp.com'] },
      expected: login('other_share'),
    },
  ]);
});

describe('decide(), email patterns at every request (DESIGN "Bound to the share")', () => {
  const refused = { kind: 'refuse', code: 'email_refused', email: 'ann@corp.com' };
  runRows([
    {
      name: 'a pattern added after the login refuses',
      login: { emailPatterns: ['bob@corp.com'] },
      expected: refused,
    },
    {
      name: 'refused even when a check is due',
      login: { emailPatterns: ['bob@*'] },
      session: { checkedAt: 0 },
      expected: refused,
    },
    {
      name: 'patterns of the definition must match as well as those of the share (2.4)',
      login: { emailPatterns: ['*@corp.com'], provider: { ...PROVIDER, emailPatterns: ['bob@*'] } },
      expected: refused,
    },
    {
      name: 'a definition of another account is no provider here (DESIGN 3)',
      login: { provider: { ...PROVIDER, accountId: newId('acc') } },
      expected: { kind: 'refuse', code: 'provider_unusable', email: null },
    },
    { name: 'a malformed pattern lets nobody in', login: { emailPatterns: ['[ann'] }, expected: refused },
    {
      name: 'an address with two @ matches no pattern',
      login: { emailPatterns: ['*@corp.com'] },
      session: { email: 'a@evil.org@corp.com' },
      expected: { ...refused, email: 'a@evil.org@corp.com' },
    },
    { name: 'both cases are alike', login: { emailPatterns: ['ANN@Corp.com'] }, expected: 'forward' },
  ]);
});

describe('decide(), bound to the browser (DESIGN 3)', () => {
  runRows([
    { name: 'https with the binding cookie of the login: forwarded', expected: 'forward' },
    {
      name: 'https without a binding cookie',
      facts: { bindingHash: null },
      expected: login('other_browser'),
    },
    {
      name: "https with another browser's binding cookie",
      facts: { bindingHash: 'other' },
      expected: login('other_browser'),
    },
    {
      name: 'https with a session made over plain HTTP',
      session: { bindingHash: null },
      expected: login('other_browser'),
    },
    {
      name: 'https with a session made over plain HTTP and no binding cookie',
      session: { bindingHash: null },
      facts: { bindingHash: null },
      expected: login('other_browser'),
    },
    {
      name: 'plain HTTP with a session made there: forwarded',
      session: { bindingHash: null },
      facts: { secure: false, bindingHash: null },
      expected: 'forward',
    },
    {
      name: 'plain HTTP takes no notice of a cookie in the place of the binding',
      session: { bindingHash: null },
      facts: { secure: false },
      expected: 'forward',
    },
    {
      name: 'plain HTTP with a session made over https',
      facts: { secure: false },
      expected: login('other_browser'),
    },
  ]);
});

describe('decide(), background check (DESIGN "Check interval")', () => {
  runRows([
    {
      name: 'under 90 % of the interval: no check',
      session: at(0.899),
      expected: { kind: 'forward', checkSoon: false },
    },
    {
      name: 'at 90 %: forwarded, and a check starts',
      session: at(0.9),
      expected: { kind: 'forward', checkSoon: true },
    },
    {
      name: 'at 99 %: forwarded, and a check starts',
      session: at(0.99),
      expected: { kind: 'forward', checkSoon: true },
    },
    {
      name: 'at 90 % without a refresh token: no check',
      session: { ...at(0.9), refreshable: false },
      expected: { kind: 'forward', checkSoon: false },
    },
    { name: 'at 100 %: no longer forwarded', session: at(1), expected: 'recheck' },
    {
      name: 'at 100 % without a refresh token: log in again',
      session: { ...at(1), refreshable: false },
      expected: login('check_needs_login'),
    },
    {
      name: 'a check that the store dates after now still counts',
      session: { checkedAt: NOW + MINUTE },
      expected: { kind: 'forward', checkSoon: false },
    },
    {
      name: 'a check by a clock that was ahead counts for nothing: checked again',
      session: { checkedAt: NOW + MINUTE + 1 },
      expected: 'recheck',
    },
    {
      name: 'a check by a clock that was ahead, without a refresh token: log in again',
      session: { checkedAt: NOW + 24 * HOUR, refreshable: false },
      expected: login('check_needs_login'),
    },
  ]);
});

test('decide() asks a session without a verified address to log in once the provider requires one (2.4)', () => {
  const provider = { ...PROVIDER, requiresVerifiedEmail: true };
  const share = { ...SHARE, login: shareLogin({ ...LOGIN, provider }) };
  const kindOf = (emailVerified: boolean | undefined) => {
    const session = { ...SESSION, ...(emailVerified === undefined ? {} : { emailVerified }) };
    const decision = decide(share, session, FACTS, NOW);
    return decision.kind === 'login' ? { kind: decision.kind, reason: decision.reason } : decision;
  };
  assert.equal(kindOf(true).kind, 'forward');
  for (const other of [false, undefined])
    assert.deepEqual(kindOf(other), { kind: 'login', reason: 'email_unverified' });
  assert.equal(decide(SHARE, { ...SESSION, emailVerified: false }, FACTS, NOW).kind, 'forward');
});

test('decide() forwards a protected share only with a session that is good in every way (contract 3)', () => {
  const facts = fc.record({
    method: fc.constantFrom('GET', 'POST', 'OPTIONS'),
    upgrade: fc.boolean(),
    fetchSite: fc.constantFrom(null, 'same-origin', 'same-site', 'cross-site', 'none'),
    fetchMode: fc.constantFrom(null, 'navigate', 'cors'),
    fetchDest: fc.constantFrom(null, 'document', 'empty'),
    purpose: fc.constantFrom(null, 'prefetch'),
    referer: fc.constantFrom(null, `${OWN}/page`, `${SIBLING}/page`),
    origin: fc.constantFrom(null, OWN, SIBLING, 'null'),
    ownOrigin: fc.constant(OWN),
    secure: fc.boolean(),
    bindingHash: fc.constantFrom(null, 'binding', 'other'),
    certificate: fc.constant(null),
    path: fc.constantFrom('/', '/a//b'),
    address: fc.constantFrom(null, '192.0.2.1'),
    token: fc.constant(null),
  });
  const time = fc.oneof(fc.integer({ min: NOW - 4 * HOUR, max: NOW + 4 * HOUR }), fc.constant(Number.NaN));
  const session = fc.record({
    shareId: fc.constantFrom<LiveSession['shareId']>('shr_1', 'shr_2'),
    providerGeneration: fc.constantFrom(PROVIDER.generation, 'other'),
    email: fc.constantFrom('ann@corp.com', 'ann@other.com'),
    expiresAt: time,
    checkedAt: time,
    bindingHash: fc.constantFrom(null, 'binding'),
    refreshable: fc.boolean(),
    ended: fc.boolean(),
  });
  const share: Share = { ...SHARE, login: shareLogin({ ...LOGIN, emailPatterns: ['*@corp.com'] }) };
  fc.assert(
    fc.property(session, facts, (parts, request) => {
      const decision = decide(share, { ...SESSION, ...parts }, request, NOW);
      if (decision.kind !== 'forward') return;
      assert.equal(parts.shareId, SHARE.id);
      assert.equal(parts.providerGeneration, PROVIDER.generation);
      assert.equal(parts.email, 'ann@corp.com');
      assert.ok(parts.expiresAt > NOW && parts.checkedAt > NOW - 3 * HOUR && !parts.ended);
      assert.equal(parts.bindingHash, request.secure ? request.bindingHash : null);
      assert.ok(!request.upgrade || request.origin === OWN);
    }),
    { numRuns: 5000 },
  );
});

test('decideAgainAt() is the check or the expiry, whichever comes first (DESIGN "Ended sessions")', () => {
  assert.equal(decideAgainAt(SHARE, SESSION), NOW + 2 * HOUR);
  assert.equal(decideAgainAt(SHARE, { ...SESSION, expiresAt: NOW + HOUR }), NOW + HOUR);
  assert.equal(decideAgainAt({ ...SHARE, login: null }, SESSION), SESSION.expiresAt);
  assert.notEqual(decide(SHARE, SESSION, FACTS, decideAgainAt(SHARE, SESSION)).kind, 'forward');
  assert.equal(decide(SHARE, SESSION, FACTS, decideAgainAt(SHARE, SESSION) - 1).kind, 'forward');
});

test('providerGeneration() changes with name, type, issuer and client id, and with nothing else (DESIGN 3)', () => {
  const parts = {
    name: 'corp',
    type: 'oidc',
    issuer: 'https://id.example.com',
    clientId: 'doorward',
  } as const;
  assert.equal(providerGeneration(parts), PROVIDER.generation);
  assert.match(PROVIDER.generation, /^[\w-]{22}$/);
  for (const change of [
    { name: 'x' },
    { type: 'google' as const },
    { issuer: 'https://x' },
    { clientId: 'x' },
  ])
    assert.notEqual(providerGeneration({ ...parts, ...change }), PROVIDER.generation);
});

/** Checked this part of the interval ago. */
function at(part: number): Partial<LiveSession> {
  return { checkedAt: NOW - part * 3 * HOUR };
}
