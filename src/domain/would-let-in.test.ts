import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { FACTS, HOUR, LOGIN, NOW, PROVIDER, SESSION, SHARE } from '../../test/support/decision-rows.ts';
import { naiveRule } from '../../test/support/naive-rules.ts';
import { CERTIFICATE } from '../../test/support/rule-facts.ts';
import { type OneLogin, shareLogin } from '../../test/support/share-login.ts';
import type { AskedFacts } from './asked-facts.ts';
import { decide } from './decision.ts';
import { loginRefusal } from './login-admission.ts';
import type { LiveSession } from './session.ts';
import type { Share } from './share.ts';
import { type AdmissionReason, wouldLetIn } from './would-let-in.ts';

function shareWith(login: Partial<OneLogin>, provider: Partial<typeof PROVIDER> = {}): Share {
  return { ...SHARE, login: shareLogin({ ...LOGIN, provider: { ...PROVIDER, ...provider }, ...login }) };
}

const ANN = 'ann@corp.com';
const CORP = ['*@other.com', '*@corp.com', 'ann@*'];

const ROWS: readonly (readonly [
  name: string,
  share: Share,
  email: string,
  reason: AdmissionReason,
  pattern: string | null,
  providerPattern: string | null,
])[] = [
  ['no login', { ...SHARE, login: null }, ANN, 'no_login', null, null],
  ['no login, no address', { ...SHARE, login: null }, 'x', 'no_login', null, null],
  ['no patterns', shareWith({}), ANN, 'any_address', null, null],
  [
    'the first pattern that matches',
    shareWith({ emailPatterns: CORP }),
    ANN,
    'pattern_matches',
    CORP[1]!,
    null,
  ],
  ['in any case', shareWith({ emailPatterns: CORP }), 'Ann@CORP.com', 'pattern_matches', CORP[1]!, null],
  ['the definition’s', shareWith({}, { emailPatterns: CORP }), ANN, 'pattern_matches', null, CORP[1]!],
  [
    'both',
    shareWith({ emailPatterns: ['ann@*'] }, { emailPatterns: CORP }),
    ANN,
    'pattern_matches',
    'ann@*',
    CORP[1]!,
  ],
  ['no pattern', shareWith({ emailPatterns: ['*@other.com'] }), ANN, 'pattern_needed', null, null],
  [
    'the share’s alone',
    shareWith({ emailPatterns: CORP }, { emailPatterns: ['*@other.com'] }),
    ANN,
    'provider_pattern_needed',
    CORP[1]!,
    null,
  ],
  [
    'the definition’s alone',
    shareWith({ emailPatterns: ['*@other.com'] }, { emailPatterns: CORP }),
    ANN,
    'pattern_needed',
    null,
    CORP[1]!,
  ],
  ['a malformed pattern', shareWith({ emailPatterns: ['['] }), ANN, 'pattern_needed', null, null],
  ['two @', shareWith({}), 'a@evil.org@corp.com', 'email_unusable', null, null],
  ['two @ and a pattern', shareWith({ emailPatterns: ['*'] }), 'a@b@corp.com', 'email_unusable', null, null],
  ['disabled', { ...SHARE, enabled: false }, ANN, 'share_disabled', null, null],
  ['disabled without login', { ...SHARE, enabled: false, login: null }, ANN, 'share_disabled', null, null],
  ['no provider', shareWith({ provider: null }), ANN, 'provider_unusable', null, null],
  ['another account’s provider', shareWith({}, { accountId: 'acc_2' }), ANN, 'provider_unusable', null, null],
];

for (const [name, share, email, reason, pattern, providerPattern] of ROWS)
  test(`wouldLetIn(): ${name}`, () => {
    const isIn = ['no_login', 'any_address', 'pattern_matches'].includes(reason);
    const outcome = isIn ? 'allowed' : 'refused';
    const expected = { outcome, reason, pattern, providerPattern, certificate: 'none' };
    const answer = wouldLetIn(share, { email }, NOW);
    assert.deepEqual({ ...answer, ...expected }, answer);
  });

function found(share: Share, facts: AskedFacts = {}) {
  const { outcome, reason, rule } = wouldLetIn(share, { email: ANN, ...facts }, NOW);
  return [outcome, reason, rule];
}

test('wouldLetIn() asks for the certificate that the question leaves out (DESIGN "Mutual TLS")', () => {
  const asks = { clientCertificate: { subject: 'build-*', unit: 'CI' } } as const;
  const login = shareWith({ emailPatterns: CORP });
  const both = { ...login, ...asks };
  const build = { subject: 'build-1', unit: 'CI' };
  assert.deepEqual(found(both), ['depends', 'more_needed', 'login']);
  assert.deepEqual(found(both, { certificate: { subject: 'build-1' } }), ['depends', 'more_needed', 'login']);
  assert.deepEqual(found(both, { certificate: { subject: 'other' } }), ['refused', 'rule_needed', null]);
  assert.deepEqual(found(both, { certificate: build }), ['allowed', 'pattern_matches', 'login']);
  assert.equal(found(both, { certificate: null })[0], 'refused');
  const either = { ...both, access: 'either' } as const;
  assert.deepEqual(found(either), ['allowed', 'pattern_matches', 'login']);
  assert.deepEqual(found(either, { email: 'x@y.z' }), ['depends', 'more_needed', 'certificate']);
  assert.deepEqual(found(either, { email: 'x@y.z', certificate: null }), ['refused', 'pattern_needed', null]);
  const alone = { ...both, login: null };
  assert.deepEqual(found(alone, { certificate: build }), ['allowed', 'certificate_alone', 'certificate']);
  assert.deepEqual(found({ ...alone, enabled: false }), ['refused', 'share_disabled', null]);
});

test('wouldLetIn() takes addresses, groups and whatever else rules ask, and what is left out is not "no" (DESIGN "Rules")', () => {
  const inside = { ...shareWith({}), allowAddresses: ['10.0.0.0/8'] };
  assert.deepEqual(found(inside), ['depends', 'more_needed', 'login']);
  assert.deepEqual(found(inside, { address: '10.1.2.3' }), ['allowed', 'any_address', 'login']);
  assert.deepEqual(found(inside, { address: '192.0.2.1' }), ['refused', 'rule_denies', 'allow_addresses']);
  const grouped = { ...shareWith({}), allowGroups: ['eng-*'] };
  assert.deepEqual(found(grouped), ['depends', 'more_needed', 'login']);
  assert.deepEqual(found(grouped, { groups: ['eng-web'] }), ['allowed', 'any_address', 'login']);
  assert.deepEqual(found(grouped, { groups: [] }), ['refused', 'rule_needed', null]);
  const ruled: Share = {
    ...shareWith({}),
    rules: [
      { allow: { tokens: ['deploy-*'], paths: ['/hooks/*'], methods: ['POST'] } },
      { deny: { paths: ['/admin/*'] } },
    ],
  };
  const hook = { email: undefined, token: 'deploy-1', path: '/hooks/a' };
  assert.deepEqual(found(ruled), ['depends', 'more_needed', 'login']);
  assert.deepEqual(found(ruled, { path: '/admin/x' }), ['refused', 'rule_denies', 2]);
  assert.deepEqual(found(ruled, { path: '/a//b' }), ['refused', 'ambiguous_path', null]);
  assert.deepEqual(found(ruled, { ...hook, method: 'POST' }), ['allowed', 'rule_allows', 1]);
  const anywhere = { ...hook, path: undefined, method: 'POST' };
  assert.deepEqual(found(ruled, anywhere), ['depends', 'more_needed', 1]);
  const { rules } = wouldLetIn(ruled, anywhere, NOW);
  assert.deepEqual(
    rules.map(({ source, held, conditions }) => [source, held, conditions.map((each) => each.held)]),
    [
      ['login', 'failed', ['failed']],
      [1, 'unknown', ['held', 'unknown', 'held']],
      [2, 'unknown', ['unknown']],
    ],
  );
});

test('wouldLetIn() judges a service token alone where rules ask for one, and a login without one (DESIGN "Service tokens")', () => {
  const rules: Share['rules'] = [{ allow: { tokens: ['deploy-*'] } }, { deny: { emails: ['mallory@*'] } }];
  const share: Share = { ...shareWith({ emailPatterns: CORP }), rules };
  assert.deepEqual(found(share), ['allowed', 'pattern_matches', 'login']);
  assert.deepEqual(found(share, { token: 'other' }), ['refused', 'rule_needed', null]);
  assert.deepEqual(found(share, { email: undefined, token: 'other' }), ['refused', 'rule_needed', null]);
  const mallory = { email: 'mallory@corp.com', token: 'deploy-1' };
  assert.deepEqual(found(share, mallory), ['allowed', 'rule_allows', 1]);
  assert.deepEqual(found(share, { email: 'a@b@c', token: 'other' }), ['refused', 'rule_needed', null]);
  const unasked = shareWith({ emailPatterns: CORP });
  assert.deepEqual(found(unasked, { token: 'other' }), ['allowed', 'pattern_matches', 'login']);
  assert.deepEqual(found(unasked, { email: undefined, token: 'x' }), ['depends', 'more_needed', 'login']);
  const denying: Share = { ...unasked, rules: [{ deny: { tokens: ['*'] } }] };
  assert.deepEqual(found(denying), ['allowed', 'pattern_matches', 'login'], 'who counts by login sends none');
  assert.deepEqual(found(denying, { token: 'x' }), ['refused', 'rule_needed', null]);
});

test('wouldLetIn() keeps in mind a deny on a certificate or a method that the question leaves out (DESIGN "Rules")', () => {
  for (const deny of [{ certificate: { subject: null, unit: null } }, { methods: ['PUT'] }]) {
    const denied: Share = { ...shareWith({}), rules: [{ deny }] };
    assert.deepEqual(found(denied, { path: '/a' }), ['depends', 'more_needed', 'login']);
    const said = { certificate: null, method: 'GET', path: '/a' };
    assert.deepEqual(found(denied, said), ['allowed', 'any_address', 'login']);
  }
});

test('wouldLetIn() answers for the moment that is asked about (DESIGN "Rules")', () => {
  const share: Share = { ...SHARE, login: null, rules: [{ allow: { everyone: true, until: '2030-01-01' } }] };
  assert.equal(wouldLetIn(share, {}, NOW).outcome, 'allowed');
  assert.equal(wouldLetIn(share, {}, Date.UTC(2030, 0, 2)).outcome, 'refused');
});

const GOOGLE = { ...PROVIDER, name: 'google', generation: 'google-1' };
const dropped = fc.subarray([
  'email',
  'provider',
  'groups',
  'claims',
  'acr',
  'certificate',
  'token',
  'path',
  'method',
]);
const whole = fc.record({
  email: fc.constantFrom('ann@corp.com', 'bob@other.com'),
  provider: fc.constantFrom('corp', 'google'),
  groups: fc.constantFrom(undefined, [], ['eng'], ['ops', 'eng']),
  claims: fc.constantFrom({}, { dept: [] }, { dept: ['a'] }, { dept: ['b'] }),
  acr: fc.constantFrom(undefined, 'pwd', 'mfa'),
  certificate: fc.constantFrom(null, { subject: 'one' }, { subject: 'two' }),
  token: fc.constantFrom(null, 'deploy', 'other'),
  address: fc.constantFrom(undefined, '10.0.0.1', '192.0.2.1'),
  path: fc.constantFrom('/a', '/a/b', '/ab', '/', '/a//b'),
  method: fc.constantFrom('GET', 'POST'),
});
const shareOf = (rules: Share['rules']): Share => ({
  ...SHARE,
  rules,
  login: {
    providers: [PROVIDER, GOOGLE].map((provider) => ({ name: provider.name, provider })),
    named: [],
    emailPatterns: [],
    checkIntervalMs: HOUR,
  },
});
const ruleList = fc.array(naiveRule, { minLength: 1, maxLength: 5 });

/** What the gate does with whoever is all that, with or without the session of their login. */
function gateLetsIn(rules: Share['rules'], facts: AskedFacts, isLoggedIn: boolean): boolean {
  const { email = '', provider, groups, claims, acr, address, certificate, token, path, method } = facts;
  const session: LiveSession = {
    ...SESSION,
    email,
    providerGeneration: (provider === 'corp' ? PROVIDER : GOOGLE).generation,
    checkedAt: NOW,
    facts: {
      groups: groups ?? null,
      claims: claims ?? {},
      acr: acr ?? null,
      amr: [],
      authTime: NOW,
      name: null,
    },
  };
  const shown = certificate && {
    ...CERTIFICATE,
    commonName: certificate.subject ?? null,
    organizationalUnit: null,
  };
  const asked = {
    ...FACTS,
    address: address ?? null,
    certificate: shown ?? null,
    token: token ?? null,
    path: path ?? '/',
    method: method ?? 'GET',
  };
  return decide(shareOf(rules), isLoggedIn ? session : null, asked, NOW).kind === 'forward';
}

test('wouldLetIn() says of any rules and facts what decide() says, of a login beside a token too (DESIGN "Rules")', () => {
  fc.assert(
    fc.property(ruleList, whole, fc.boolean(), (rules, facts, isLoggedIn) => {
      const { address, certificate, token, path, method } = facts;
      const said = isLoggedIn ? facts : { address, certificate, token, path, method };
      const { outcome } = wouldLetIn(shareOf(rules), said, NOW);
      assert.equal(outcome === 'allowed', gateLetsIn(rules, facts, isLoggedIn));
    }),
    { numRuns: 5_000 },
  );
});

test('wouldLetIn() says yes or no of any part of the facts only where decide() does whatever the rest is (DESIGN "Rules")', () => {
  fc.assert(
    fc.property(ruleList, whole, dropped, fc.boolean(), (rules, all, names, isLoggedIn) => {
      const said = Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
      const isLogin = ['email', 'provider', 'groups', 'claims', 'acr'].some(
        (name) => said[name] !== undefined,
      );
      // Whoever is asked about by their login counts by it.
      const facts = isLogin && names.includes('token') ? { ...all, token: null } : all;
      if (facts.path === '/a//b') return;
      const { outcome } = wouldLetIn(shareOf(rules), said, NOW);
      const isIn = gateLetsIn(rules, facts, isLogin || isLoggedIn);
      if (outcome === 'refused') assert.equal(isIn, false);
      // Of somebody who may log in anywhere it says what the best login does.
      const isAnywhere = isLogin && names.includes('provider');
      if (outcome === 'allowed' && !isAnywhere) assert.equal(isIn, true);
    }),
    { numRuns: 10_000 },
  );
});

test('wouldLetIn() says of any address and patterns what the gate and the callback say', () => {
  const glob = fc.constantFrom(
    '*',
    '*@corp.com',
    'a?n@*',
    '{ann,bob}@*',
    '[a-m]*@corp.com',
    '[',
    'ann@corp.com',
  );
  const globs = fc.array(glob, { maxLength: 3 });
  const email = fc.constantFrom(
    ANN,
    'bob@corp.com',
    'zoe@other.com',
    'ANN@CORP.COM',
    'a@b@corp.com',
    'none',
    '@',
  );
  fc.assert(
    fc.property(globs, globs, email, (emailPatterns, ofProvider, address) => {
      const share = shareWith({ emailPatterns }, { emailPatterns: ofProvider });
      const { outcome } = wouldLetIn(share, { email: address }, NOW);
      const usable = address !== 'a@b@corp.com' && address !== 'none' && address !== '@';
      const refused = loginRefusal(share, { provider: PROVIDER.name, email: address });
      assert.equal(outcome === 'allowed', usable && refused === null);
    }),
  );
});
