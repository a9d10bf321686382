// Contract section 3's table goes on here: what `decide()` does where a share asks for client certificates
// (DESIGN 3, "Mutual TLS").

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  FOREIGN,
  HOUR,
  login,
  LOGIN,
  NOW,
  runRows,
  SESSION,
  SHARE,
  SIBLING,
} from '../../test/support/decision-rows.ts';
import { shareLogin } from '../../test/support/share-login.ts';
import { type CertificateFacts, certificateRefusal } from './client-certificate.ts';
import type { Share } from './share.ts';

const GOOD: CertificateFacts = {
  accountId: SHARE.accountId,
  commonName: 'build-1.ci',
  organizationalUnit: 'CI',
  subject: 'CN=build-1.ci,OU=CI',
  serial: '0A',
  fingerprint: 'ff',
  notBefore: NOW - HOUR,
  notAfter: NOW + HOUR,
  goodUntil: NOW + HOUR,
  clientAuth: true,
  tunnelOnly: false,
  revoked: false,
};
const ANY = { subject: null, unit: null } as const;
const alone = { login: null, clientCertificate: ANY } satisfies Partial<Share>;
const both = { clientCertificate: ANY, access: 'all' } satisfies Partial<Share>;
const either = { clientCertificate: ANY, access: 'either' } satisfies Partial<Share>;

function refuse(code: string) {
  return { kind: 'refuse', code, email: null };
}

describe('decide(), a certificate alone (DESIGN "Mutual TLS")', () => {
  const rule = (subject: string | null, unit: string | null = null) => ({
    share: { ...alone, clientCertificate: { subject, unit } },
    session: null,
    facts: { certificate: GOOD },
  });
  const certificate = (changes: Partial<CertificateFacts>) => ({
    share: alone,
    session: null,
    facts: { certificate: { ...GOOD, ...changes } },
  });
  const forward = { kind: 'forward', session: null, certificate: GOOD, checkSoon: false };
  runRows([
    { name: 'good: forwarded', ...certificate({}), expected: forward },
    {
      name: 'no certificate: refused',
      share: alone,
      session: null,
      expected: refuse('certificate_required'),
    },
    {
      name: 'none, and a session of a login that is no more: refused',
      share: alone,
      expected: refuse('certificate_required'),
    },
    {
      name: 'of no authority that is trusted',
      ...certificate({ accountId: null }),
      expected: refuse('certificate_foreign'),
    },
    {
      name: 'of another account’s authority',
      ...certificate({ accountId: 'acc_2' }),
      expected: refuse('certificate_foreign'),
    },
    {
      name: 'a certificate that was revoked: refused',
      ...certificate({ revoked: true }),
      expected: refuse('certificate_revoked'),
    },
    {
      name: 'expired this very moment',
      ...certificate({ notAfter: NOW }),
      expected: refuse('certificate_expired'),
    },
    {
      name: 'one millisecond before it expires: forwarded',
      ...certificate({ notAfter: NOW + 1 }),
      expected: 'forward',
    },
    {
      name: 'not valid yet',
      ...certificate({ notBefore: NOW + 1 }),
      expected: refuse('certificate_not_yet_valid'),
    },
    { name: 'valid from this moment: forwarded', ...certificate({ notBefore: NOW }), expected: 'forward' },
    {
      name: 'times that are no numbers: refused',
      ...certificate({ notBefore: Number.NaN }),
      expected: refuse('certificate_not_yet_valid'),
    },
    {
      name: 'an end that is no number: refused',
      ...certificate({ notAfter: Number.NaN }),
      expected: refuse('certificate_expired'),
    },
    {
      name: 'without clientAuth',
      ...certificate({ clientAuth: false }),
      expected: refuse('certificate_unfit'),
    },
    {
      name: 'of an agent, whatever its subject',
      ...rule('build-*.ci'),
      facts: { certificate: { ...GOOD, tunnelOnly: true } },
      expected: refuse('certificate_unfit'),
    },
    { name: 'a subject that matches: forwarded', ...rule('build-*.ci'), expected: 'forward' },
    { name: 'another subject', ...rule('deploy-*'), expected: refuse('certificate_refused') },
    {
      name: 'a subject in another case is another',
      ...rule('BUILD-1.ci'),
      expected: refuse('certificate_refused'),
    },
    {
      name: 'a subject that is only part of the name',
      ...rule('build-1'),
      expected: refuse('certificate_refused'),
    },
    { name: 'a unit that matches: forwarded', ...rule(null, 'C?'), expected: 'forward' },
    {
      name: 'subject and unit: both must match',
      ...rule('build-1.ci', 'Ops'),
      expected: refuse('certificate_refused'),
    },
    {
      name: 'without a unit no glob of units matches, not even any',
      share: { ...alone, clientCertificate: { subject: null, unit: '*' } },
      session: null,
      facts: { certificate: { ...GOOD, organizationalUnit: null } },
      expected: refuse('certificate_refused'),
    },
    {
      name: 'a glob that cannot be compiled matches nothing',
      ...rule('build\\'),
      expected: refuse('certificate_refused'),
    },
    {
      name: 'a name that is not written as names are here',
      ...certificate({ commonName: null }),
      expected: refuse('certificate_refused'),
    },
    {
      name: '`either` without a login is the certificate alone',
      share: { ...alone, access: 'either' },
      session: null,
      expected: refuse('certificate_required'),
    },
    {
      name: 'a page of a sibling share uses no certificate',
      share: alone,
      session: null,
      facts: {
        certificate: GOOD,
        fetchSite: 'same-site',
        fetchMode: 'cors',
        fetchDest: 'empty',
        origin: SIBLING,
      },
      expected: FOREIGN,
    },
    {
      name: 'a WebSocket of a sibling share uses no certificate',
      share: alone,
      session: null,
      facts: { certificate: GOOD, upgrade: true, origin: SIBLING },
      expected: FOREIGN,
    },
    {
      name: 'a disabled share does not exist',
      share: { ...alone, enabled: false },
      session: null,
      facts: { certificate: GOOD },
      expected: refuse('share_unknown'),
    },
    {
      name: 'a share that asks for none takes none',
      share: { login: null, clientCertificate: null },
      session: null,
      facts: { certificate: GOOD },
      expected: { kind: 'forward', certificate: null },
    },
  ]);
});

describe('decide(), a certificate and a login (DESIGN "Mutual TLS")', () => {
  const facts = { certificate: GOOD };
  runRows([
    {
      name: 'both there: forwarded with both identities',
      share: both,
      facts,
      expected: { kind: 'forward', session: SESSION, certificate: GOOD, checkSoon: false },
    },
    {
      name: 'the certificate alone: sent to log in',
      share: both,
      session: null,
      facts,
      expected: login('no_session'),
    },
    { name: 'the login alone: refused', share: both, expected: refuse('certificate_required') },
    {
      name: 'a login and a revoked certificate: refused',
      share: both,
      facts: { certificate: { ...GOOD, revoked: true } },
      expected: refuse('certificate_revoked'),
    },
    {
      name: 'a session that ended: sent to log in',
      share: both,
      facts,
      session: { ended: true },
      expected: login('session_ended'),
    },
    {
      name: 'an address that no pattern lets in: refused, whatever the certificate',
      share: { ...both, login: shareLogin({ ...LOGIN, emailPatterns: ['*@other.com'] }) },
      facts,
      expected: { kind: 'refuse', code: 'email_refused', email: 'ann@corp.com' },
    },
    {
      name: 'a check that is due is made',
      share: both,
      facts,
      session: { checkedAt: NOW - 3 * HOUR },
      expected: 'recheck',
    },
    {
      name: 'a missing provider closes the share',
      share: { ...both, login: shareLogin({ ...LOGIN, provider: null }) },
      facts,
      expected: refuse('provider_unusable'),
    },
  ]);
});

describe('decide(), a certificate or a login (DESIGN "Mutual TLS")', () => {
  const facts = { certificate: GOOD };
  const forward = { kind: 'forward', session: null, certificate: GOOD, checkSoon: false };
  runRows([
    {
      name: 'the certificate alone: forwarded with it',
      share: either,
      session: null,
      facts,
      expected: forward,
    },
    { name: 'both there: the certificate is who comes', share: either, facts, expected: forward },
    {
      name: 'the login alone: forwarded with it',
      share: either,
      expected: { kind: 'forward', session: SESSION, certificate: null },
    },
    { name: 'neither: sent to log in', share: either, session: null, expected: login('no_session') },
    {
      name: 'a certificate that does not count is none: sent to log in',
      share: either,
      session: null,
      facts: { certificate: { ...GOOD, revoked: true } },
      expected: login('no_session'),
    },
    {
      name: 'a certificate that does not count beside a login: forwarded with the login alone',
      share: either,
      facts: { certificate: { ...GOOD, notAfter: NOW } },
      expected: { kind: 'forward', session: SESSION, certificate: null },
    },
    {
      name: 'a missing provider: the certificate still lets in',
      share: { ...either, login: shareLogin({ ...LOGIN, provider: null }) },
      session: null,
      facts,
      expected: forward,
    },
    {
      name: 'a page of a sibling share uses neither',
      share: either,
      facts: { ...facts, fetchSite: 'same-site', fetchMode: 'no-cors', fetchDest: 'image' },
      expected: FOREIGN,
    },
  ]);
});

test('certificateRefusal() says first who signed it: of a stranger’s certificate nothing else is believed', () => {
  const asked = { accountId: SHARE.accountId, rule: ANY };
  const strangers = { ...GOOD, accountId: null, revoked: true, notAfter: 0, clientAuth: false };
  assert.equal(certificateRefusal(asked, strangers, NOW), 'certificate_foreign');
});
