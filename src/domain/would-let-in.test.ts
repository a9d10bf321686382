import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { LOGIN, NOW, PROVIDER, SHARE } from '../../test/support/decision-rows.ts';
import { type OneLogin, shareLogin } from '../../test/support/share-login.ts';
import { loginRefusal } from './login-admission.ts';
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
    const allowed = ['no_login', 'any_address', 'pattern_matches'].includes(reason);
    const expected = { allowed, reason, pattern, providerPattern, certificate: 'none' };
    assert.deepEqual(wouldLetIn(share, email, NOW), expected);
  });

function found(share: Share, email = ANN) {
  const { allowed, reason, certificate } = wouldLetIn(share, email, NOW);
  return [allowed, reason, certificate];
}

test('wouldLetIn() tells what a client certificate does, and judges the address without it (DESIGN "Mutual TLS")', () => {
  const asks = { clientCertificate: { subject: 'build-*', unit: null } } as const;
  const login = shareWith({ emailPatterns: CORP });
  assert.deepEqual(found({ ...login, ...asks }), [true, 'pattern_matches', 'needed']);
  assert.deepEqual(found({ ...login, ...asks, access: 'either' }), [true, 'pattern_matches', 'enough']);
  assert.deepEqual(found({ ...login, ...asks, access: 'either' }, 'x@y.z'), [
    false,
    'pattern_needed',
    'enough',
  ]);
  assert.deepEqual(found({ ...login, ...asks, login: null }), [true, 'certificate_alone', 'needed']);
  assert.deepEqual(found({ ...login, ...asks, login: null, enabled: false }), [
    false,
    'share_disabled',
    'needed',
  ]);
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
      const { allowed } = wouldLetIn(share, address, NOW);
      const usable = address !== 'a@b@corp.com' && address !== 'none' && address !== '@';
      const refused = loginRefusal(share, { provider: PROVIDER.name, email: address });
      assert.equal(allowed, usable && refused === null);
    }),
  );
});
