// Contract section 3 as a table: every row of it that the gate decides, then what DESIGN 3 adds. The rows that the
// callback decides (code exchanged, session created or not) and the logout rows are tested in `login/`.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { decide, decideAgainAt, type Decision, type LoginReason, type RequestFacts } from './decision.ts';
import { PROVIDER_TYPES, providerGeneration, type ProviderRef } from './provider-ref.ts';
import type { LiveSession } from './session.ts';
import { DEFAULT_CHECK_INTERVAL_MS, type Share, type ShareLogin } from './share.ts';

const NOW = Date.UTC(2030, 0, 1, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const PROVIDER: ProviderRef = {
  name: 'corp',
  type: 'oidc',
  generation: providerGeneration({
    name: 'corp',
    type: 'oidc',
    issuer: 'https://id.example.com',
    clientId: 'doorward',
  }),
};
const LOGIN: ShareLogin = {
  providerName: 'corp',
  provider: PROVIDER,
  emailPatterns: [],
  checkIntervalMs: 3 * HOUR,
};
const SHARE: Share = {
  id: 'shr_1',
  accountId: 'acc_1',
  name: 'demo',
  hosts: ['demo.share.example.com'],
  target: 'http://127.0.0.1:3000',
  enabled: true,
  login: LOGIN,
  allowOrigins: [],
};
const SESSION: LiveSession = {
  id: 'ses_1',
  shareId: SHARE.id,
  providerGeneration: PROVIDER.generation,
  email: 'ann@corp.com',
  expiresAt: NOW + 6 * HOUR,
  bindingHash: 'binding',
  subject: 'sub-1',
  checkedAt: NOW - HOUR,
  refreshable: true,
  ended: false,
};
const FACTS: RequestFacts = {
  method: 'GET',
  upgrade: false,
  fetchSite: null,
  fetchMode: null,
  fetchDest: null,
  origin: null,
  ownOrigin: 'https://demo.share.example.com',
  secure: true,
  bindingHash: 'binding',
};
const FORWARD = { kind: 'forward', session: SESSION, checkSoon: false };
const FOREIGN = { kind: 'refuse', code: 'foreign_origin', email: null };
const OWN = FACTS.ownOrigin;
const SIBLING = 'https://evil.share.example.com';
const ALLOWED = 'https://app.example.com';

type Row = {
  readonly name: string;
  readonly share?: Partial<Share>;
  readonly login?: Partial<ShareLogin>;
  readonly session?: Partial<LiveSession> | null;
  readonly facts?: Partial<RequestFacts>;
  /** The kind alone, or the members to compare. */
  readonly expected: Decision['kind'] | Readonly<Record<string, unknown>>;
};

function runRows(rows: readonly Row[]): void {
  for (const row of rows) test(row.name, () => checkRow(row));
}

function checkRow(row: Row): void {
  const share: Share = { ...SHARE, login: { ...LOGIN, ...row.login }, ...row.share };
  const session = row.session === null ? null : { ...SESSION, ...row.session };
  const decision = decide(share, session, { ...FACTS, ...row.facts }, NOW);
  const expected = typeof row.expected === 'string' ? { kind: row.expected } : row.expected;
  assert.deepEqual({ ...decision, ...expected }, decision);
}

function login(reason: LoginReason) {
  return { kind: 'login', reason };
}

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

describe('decide(), email patterns at every request (DESIGN 3 Bound to the share)', () => {
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

describe('decide(), background check (DESIGN 3 Check interval)', () => {
  const at = (part: number) => ({ checkedAt: NOW - part * 3 * HOUR });
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
  ]);
});

describe('decide(), requests from other sites (DESIGN 3)', () => {
  const navigation = { fetchMode: 'navigate', fetchDest: 'document' };
  runRows([
    {
      name: 'same-origin fetch: forwarded',
      facts: { fetchSite: 'same-origin', fetchMode: 'cors', fetchDest: 'empty' },
      expected: 'forward',
    },
    {
      name: 'same-origin POST: forwarded',
      facts: { method: 'POST', fetchSite: 'same-origin', fetchMode: 'cors', fetchDest: 'empty', origin: OWN },
      expected: 'forward',
    },
    {
      name: 'same-origin form without a referrer (Origin null): forwarded',
      facts: { method: 'POST', fetchSite: 'same-origin', ...navigation, origin: 'null' },
      expected: 'forward',
    },
    { name: 'typed address: forwarded', facts: { fetchSite: 'none', ...navigation }, expected: 'forward' },
    {
      name: 'link on another site: forwarded',
      facts: { fetchSite: 'cross-site', ...navigation },
      expected: 'forward',
    },
    {
      name: 'link on a sibling share: forwarded',
      facts: { fetchSite: 'same-site', ...navigation },
      expected: 'forward',
    },
    {
      name: 'HEAD navigation from another site: forwarded',
      facts: { method: 'HEAD', fetchSite: 'cross-site', ...navigation },
      expected: 'forward',
    },
    {
      name: 'fetch by a sibling share',
      facts: { fetchSite: 'same-site', fetchMode: 'cors', fetchDest: 'empty', origin: SIBLING },
      expected: FOREIGN,
    },
    {
      name: 'no-cors fetch by a sibling share, without Origin',
      facts: { fetchSite: 'same-site', fetchMode: 'no-cors', fetchDest: 'empty' },
      expected: FOREIGN,
    },
    {
      name: 'image on a sibling share',
      facts: { fetchSite: 'same-site', fetchMode: 'no-cors', fetchDest: 'image' },
      expected: FOREIGN,
    },
    {
      name: 'script on another site',
      facts: { fetchSite: 'cross-site', fetchMode: 'no-cors', fetchDest: 'script' },
      expected: FOREIGN,
    },
    {
      name: 'frame on a sibling share',
      facts: { fetchSite: 'same-site', fetchMode: 'navigate', fetchDest: 'iframe' },
      expected: FOREIGN,
    },
    {
      name: 'embedded object on a sibling share',
      facts: { fetchSite: 'same-site', fetchMode: 'navigate', fetchDest: 'embed' },
      expected: FOREIGN,
    },
    {
      name: 'form posted by a sibling share',
      facts: { method: 'POST', fetchSite: 'same-site', ...navigation, origin: SIBLING },
      expected: FOREIGN,
    },
    {
      name: 'form posted by another site with Origin null',
      facts: { method: 'POST', fetchSite: 'cross-site', ...navigation, origin: 'null' },
      expected: FOREIGN,
    },
    {
      name: 'a document that is not navigated to',
      facts: { fetchSite: 'cross-site', fetchMode: 'no-cors', fetchDest: 'document' },
      expected: FOREIGN,
    },
    {
      name: 'an unknown Sec-Fetch-Site',
      facts: { fetchSite: 'same-origin, none', fetchMode: 'cors', fetchDest: 'empty' },
      expected: FOREIGN,
    },
    {
      name: 'refused before anything is said about the session',
      session: null,
      facts: { fetchSite: 'same-site', fetchMode: 'cors', origin: SIBLING },
      expected: FOREIGN,
    },
    { name: 'no Fetch Metadata, GET without Origin: forwarded', expected: 'forward' },
    {
      name: 'no Fetch Metadata, GET with a foreign Origin: forwarded',
      facts: { origin: SIBLING },
      expected: 'forward',
    },
    {
      name: 'no Fetch Metadata, POST without Origin: forwarded',
      facts: { method: 'POST' },
      expected: 'forward',
    },
    {
      name: 'no Fetch Metadata, POST with the own Origin: forwarded',
      facts: { method: 'POST', origin: OWN },
      expected: 'forward',
    },
    {
      name: 'no Fetch Metadata, POST with a foreign Origin',
      facts: { method: 'POST', origin: SIBLING },
      expected: FOREIGN,
    },
    {
      name: 'no Fetch Metadata, POST with Origin null',
      facts: { method: 'POST', origin: 'null' },
      expected: FOREIGN,
    },
    {
      name: 'no Fetch Metadata, DELETE with the own host on another port',
      facts: { method: 'DELETE', origin: `${OWN}:8443` },
      expected: FOREIGN,
    },
    {
      name: 'no Fetch Metadata, PUT with the own host over http',
      facts: { method: 'PUT', origin: OWN.replace('https', 'http') },
      expected: FOREIGN,
    },
    {
      name: 'a made-up method with a foreign Origin',
      facts: { method: 'get', origin: SIBLING },
      expected: FOREIGN,
    },
    {
      name: 'upgrade with the own Origin: forwarded',
      facts: { upgrade: true, origin: OWN },
      expected: 'forward',
    },
    {
      name: 'upgrade with the own Origin and Fetch Metadata: forwarded',
      facts: {
        upgrade: true,
        origin: OWN,
        fetchSite: 'same-origin',
        fetchMode: 'websocket',
        fetchDest: 'empty',
      },
      expected: 'forward',
    },
    { name: 'upgrade without Origin', facts: { upgrade: true }, expected: FOREIGN },
    { name: 'upgrade with a foreign Origin', facts: { upgrade: true, origin: SIBLING }, expected: FOREIGN },
    {
      name: 'upgrade with a foreign Origin and friendly Fetch Metadata',
      facts: { upgrade: true, origin: SIBLING, fetchSite: 'same-origin' },
      expected: FOREIGN,
    },
    {
      name: 'upgrade without Origin that calls itself a navigation',
      facts: { upgrade: true, fetchSite: 'none', ...navigation },
      expected: FOREIGN,
    },
    {
      name: 'an open share hears everybody',
      share: { login: null },
      facts: { method: 'POST', fetchSite: 'cross-site', origin: SIBLING },
      expected: 'forward',
    },
  ]);
});

describe('decide(), --allow-origin (DESIGN 2.4, 3)', () => {
  const share = { allowOrigins: [ALLOWED] };
  const cors = { fetchSite: 'cross-site', fetchMode: 'cors', fetchDest: 'empty' };
  runRows([
    {
      name: 'fetch by an allowed origin: forwarded',
      share,
      facts: { ...cors, origin: ALLOWED },
      expected: 'forward',
    },
    {
      name: 'POST by an allowed origin: forwarded',
      share,
      facts: { ...cors, method: 'POST', origin: ALLOWED },
      expected: 'forward',
    },
    {
      name: 'upgrade by an allowed origin: forwarded',
      share,
      facts: { upgrade: true, origin: ALLOWED },
      expected: 'forward',
    },
    {
      name: 'POST by an allowed origin without Fetch Metadata: forwarded',
      share,
      facts: { method: 'POST', origin: ALLOWED },
      expected: 'forward',
    },
    { name: 'another origin stays refused', share, facts: { ...cors, origin: SIBLING }, expected: FOREIGN },
    {
      name: 'an origin below the allowed one stays refused',
      share,
      facts: { ...cors, origin: 'https://x.app.example.com' },
      expected: FOREIGN,
    },
    {
      name: 'an origin that begins like the allowed one stays refused',
      share,
      facts: { ...cors, origin: `${ALLOWED}.evil.org` },
      expected: FOREIGN,
    },
    { name: 'Origin null stays refused', share, facts: { ...cors, origin: 'null' }, expected: FOREIGN },
    { name: 'no Origin stays refused', share, facts: cors, expected: FOREIGN },
    {
      name: 'the session is needed all the same',
      share,
      session: null,
      facts: { ...cors, origin: ALLOWED },
      expected: login('no_session'),
    },
  ]);
});

test('decide() forwards a protected share only with a session that is good in every way (contract 3)', () => {
  const facts = fc.record({
    method: fc.constantFrom('GET', 'POST', 'OPTIONS'),
    upgrade: fc.boolean(),
    fetchSite: fc.constantFrom(null, 'same-origin', 'same-site', 'cross-site', 'none'),
    fetchMode: fc.constantFrom(null, 'navigate', 'cors'),
    fetchDest: fc.constantFrom(null, 'document', 'empty'),
    origin: fc.constantFrom(null, OWN, SIBLING, 'null'),
    ownOrigin: fc.constant(OWN),
    secure: fc.boolean(),
    bindingHash: fc.constantFrom(null, 'binding', 'other'),
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
  const share: Share = { ...SHARE, login: { ...LOGIN, emailPatterns: ['*@corp.com'] } };
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

test('decideAgainAt() is the check or the expiry, whichever comes first (DESIGN 3 Ended sessions)', () => {
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
    { type: PROVIDER_TYPES[0] },
    { issuer: 'https://x' },
    { clientId: 'x' },
  ])
    assert.notEqual(providerGeneration({ ...parts, ...change }), PROVIDER.generation);
});
