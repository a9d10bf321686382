// People's own sessions and certificates as the API shows them to them: nothing of who allowed what, and
// nothing of others.

import type { OwnApiKeyObject, OwnCertificateObject, OwnSessionObject } from '../../wire/own.ts';
import type { ShareBase } from '../../config/config.ts';
import { renewalAt } from '../../domain/certificate-notice.ts';
import { type CertificatePolicy, renewableUntil } from '../../domain/certificate.ts';
import { shareOrigin } from '../../domain/share-name.ts';
import type { KeptCertificate } from '../../store/certificates/certificate.ts';
import type { OwnCertificate } from '../../store/people/own-table.ts';
import type { ApiKeyRow } from '../../store/people/people.ts';
import type { FoundSession } from '../../store/sessions/choice.ts';
import { timeText } from '../time-text.ts';

export function ownSessionObject({ row, shareName }: FoundSession, base: ShareBase): OwnSessionObject {
  return {
    id: row.id,
    share: shareName,
    url: shareName === null ? null : shareOrigin(shareName, base),
    ip: row.ip,
    userAgent: row.userAgent,
    createdAt: timeText(row.createdAt),
    lastSeenAt: timeText(row.lastSeenAt),
    expiresAt: timeText(row.expiresAt),
  };
}

export function ownApiKeyObject(row: ApiKeyRow): OwnApiKeyObject {
  return {
    id: row.id,
    name: row.name,
    start: row.start,
    role: row.role,
    scope: row.scope,
    isOfDevice: row.login !== null,
    createdAt: timeText(row.createdAt),
    expiresAt: row.expiresAt === null ? null : timeText(row.expiresAt),
    lastUsedAt: row.lastUsedAt === null ? null : timeText(row.lastUsedAt),
  };
}

export type Standing = {
  readonly policy: CertificatePolicy;
  readonly now: number;
  /** Whether what took its place is good. */
  readonly isRenewed: boolean;
};

export function ownCertificateObject(
  { certificate, accountName }: OwnCertificate,
  standing: Standing,
): OwnCertificateObject {
  const { id, name, subject, serial, notBefore, notAfter, revokedAt, lastUsedAt, lastUsedOn } = certificate;
  const { commonName, organization, organizationalUnit } = subject;
  return {
    id,
    name,
    commonName,
    organization,
    organizationalUnit,
    account: accountName,
    serial,
    notBefore: timeText(notBefore),
    notAfter: timeText(notAfter),
    state: stateOf(certificate, standing.now),
    revokedAt: revokedAt === null ? null : timeText(revokedAt),
    lastUsedAt: lastUsedAt === null ? null : timeText(lastUsedAt),
    lastUsedOn,
    renewal: renewalOf(certificate, standing),
    renewableFrom: timeText(renewalAt(certificate)),
  };
}

/**
 * A role at the control API is more than an address stands for: what carries one is renewed with the
 * certificate itself, or by an admin.
 */
export function renewalOf(
  certificate: KeptCertificate,
  { policy, now, isRenewed }: Standing,
): OwnCertificateObject['renewal'] {
  if (stateOf(certificate, now) !== 'living' || certificate.apiRole !== null || !policy.renewalByLogin)
    return 'never';
  if (renewableUntil(policy, certificate) < certificate.notAfter + 1000) return 'never';
  if (isRenewed) return 'renewed';
  return now >= renewalAt(certificate) ? 'now' : 'later';
}

function stateOf({ revokedAt, notAfter }: KeptCertificate, now: number): OwnCertificateObject['state'] {
  if (revokedAt !== null) return 'revoked';
  return notAfter <= now ? 'expired' : 'living';
}
