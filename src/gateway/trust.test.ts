import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_TRUST, type TrustNews } from '../domain/certificate-trust.ts';
import { newId } from '../domain/id.ts';
import { createClientAuthority } from '../../test/support/client-authority.ts';
import type { PresentedCertificate } from './presented-certificate.ts';
import { createTrust } from './trust.ts';
import { createTrustRecord } from './trust-record.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.now();
const accountId = newId('acc');
const authority = createClientAuthority(accountId, { notAfter: NOW + HOUR_MS }).trusted;
const next = createClientAuthority(accountId).trusted;
const PRESENTED: PresentedCertificate = {
  authorityId: authority.id,
  commonName: 'ann',
  organizationalUnit: null,
  subject: 'CN=ann',
  serial: 'AB01',
  fingerprint: 'ff',
  notBefore: NOW - HOUR_MS,
  notAfter: NOW + 2 * HOUR_MS,
  clientAuth: true,
  tunnelOnly: false,
};

function news(more: Partial<TrustNews>): TrustNews {
  return { ...NO_TRUST, reset: false, ...more };
}

test('judge() goes by the authorities and revocations of now (DESIGN "Mutual TLS")', () => {
  const trust = createTrust({ ...NO_TRUST, authorities: [authority] });
  const standing = (presented = PRESENTED, now = NOW) => {
    const { accountId: of, revoked } = trust.judge(presented, now);
    return [of, revoked];
  };
  assert.deepEqual(standing(), [accountId, false]);
  assert.deepEqual(standing({ ...PRESENTED, authorityId: null }), [null, false]);
  assert.deepEqual(standing({ ...PRESENTED, authorityId: next.id }), [null, false]);
  // An authority that is over vouches for nothing, and never longer than the certificate.
  assert.deepEqual(standing(PRESENTED, authority.notAfter), [null, false]);
  assert.equal(trust.judge(PRESENTED, NOW).goodUntil, authority.notAfter);
  const sooner = NOW + 1;
  assert.equal(trust.judge({ ...PRESENTED, notAfter: sooner }, NOW).goodUntil, sooner);
  const before = trust.version();
  trust.tell(news({ authorities: [next] }));
  assert.notEqual(trust.version(), before);
  assert.deepEqual(
    trust.authoritiesOf(accountId).map(({ id }) => id),
    [authority.id, next.id],
  );
  // A serial is revoked under the authority that gave it.
  const over = NOW + HOUR_MS;
  trust.tell(news({ revoked: [{ authorityId: next.id, serial: 'AB01', notAfter: over }] }));
  assert.deepEqual(standing(), [accountId, false]);
  trust.tell(news({ revoked: [{ authorityId: authority.id, serial: 'AB01', notAfter: over }] }));
  assert.deepEqual(standing(), [accountId, true]);
  trust.tell(news({ gone: [authority.id] }));
  assert.deepEqual(standing(), [null, true]);
  assert.deepEqual(
    trust.authoritiesOf(accountId).map(({ id }) => id),
    [next.id],
  );
  trust.tell({ ...NO_TRUST, authorities: [authority] });
  assert.deepEqual(standing(), [accountId, false]);
});

test('tell() keeps what is revoked and not over, however much of it there is', () => {
  const trust = createTrust({ ...NO_TRUST, authorities: [authority] });
  const revoked = Array.from({ length: 25_000 }, (_, index) => ({
    authorityId: authority.id,
    serial: String(index),
    notAfter: index % 2 === 0 ? NOW - 1 : NOW + HOUR_MS,
  }));
  trust.tell(news({ revoked }));
  const isRevoked = (serial: string) => trust.judge({ ...PRESENTED, serial }, NOW).revoked;
  assert.ok(isRevoked('1') && isRevoked('24999'));
  assert.ok(!isRevoked('0'));
});

test('createTrustRecord() has for a new worker what the others were told (DESIGN 4)', () => {
  const record = createTrustRecord({ ...NO_TRUST, authorities: [authority] });
  const revoked = [{ authorityId: authority.id, serial: 'AB01', notAfter: NOW + HOUR_MS }];
  record.tell(news({ authorities: [next], revoked }));
  record.tell(news({ gone: [authority.id] }));
  assert.deepEqual(record.all(), { ...NO_TRUST, authorities: [next], revoked });
  record.tell({ ...NO_TRUST, authorities: [authority] });
  assert.deepEqual(record.all(), { ...NO_TRUST, authorities: [authority] });
});

test('judge() takes for revoked what became valid in a time that the store lost, unless the store knows it', () => {
  const gaps = [{ from: PRESENTED.notBefore, until: PRESENTED.notBefore + 1_000 }];
  const known = [{ id: newId('cer'), authorityId: authority.id, serial: 'AB02' }];
  const record = createTrustRecord({ ...NO_TRUST, authorities: [authority, next], gaps, known });
  const third = [{ id: newId('cer'), authorityId: authority.id, serial: 'AB03' }];
  record.tell(news({ known: third }));
  const trust = createTrust(record.all());
  const isRevoked = (over: Partial<PresentedCertificate>) =>
    trust.judge({ ...PRESENTED, ...over }, NOW).revoked;
  assert.ok(isRevoked({}));
  assert.ok(isRevoked({ notBefore: PRESENTED.notBefore + 1_000 }));
  assert.ok(!isRevoked({ notBefore: PRESENTED.notBefore - 1 }));
  assert.ok(!isRevoked({ notBefore: PRESENTED.notBefore + 1_001 }));
  assert.ok(!isRevoked({ serial: 'AB02' }) && !isRevoked({ serial: 'AB03' }));
  assert.ok(isRevoked({ serial: 'AB02', authorityId: next.id }), 'a serial is known of its authority');
  // What is known goes on being so after other news, and a revoked one is revoked.
  trust.tell(news({ revoked: [{ authorityId: authority.id, serial: 'AB02', notAfter: NOW + HOUR_MS }] }));
  assert.ok(isRevoked({}) && isRevoked({ serial: 'AB02' }) && !isRevoked({ serial: 'AB03' }));
  trust.tell({ ...NO_TRUST, authorities: [authority] });
  assert.ok(!isRevoked({}));
});
