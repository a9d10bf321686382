// The kinds of what is written down: stable names, which programs filter by. Browsers read this file, too.

export const AUDIT_KINDS = [
  'login.succeeded',
  'login.refused',
  'login.failed',
  'refusals.omitted',
  'session.refreshed',
  'session.refresh_failed',
  'session.ended',
  'logout',
  'backchannel_logout.refused',
  'account.created',
  'account.suspended',
  'account.resumed',
  'member.invited',
  'member.accepted',
  'member.modified',
  'member.deleted',
  'console.login',
  'console.refused',
  'console.logout',
  'device_login.allowed',
  'device_login.denied',
  'api_key.created',
  'api_key.deleted',
  'service_token.created',
  'service_token.deleted',
  'service_token.refused',
  'share.created',
  'share.modified',
  'share.deleted',
  'access.requested',
  'access.granted',
  'access.dismissed',
  'access.ended',
  'host.claimed',
  'host.proved',
  'host.lost',
  'host.deleted',
  'host.granted',
  'host.revoked',
  'provider.created',
  'provider.modified',
  'provider.deleted',
  'provider.tried',
  'webhook.created',
  'webhook.modified',
  'webhook.secret_rotated',
  'webhook.deleted',
  'webhook.tested',
  'webhook.redelivered',
  'webhook.disabled',
  'certificate_token.created',
  'certificate_token.deleted',
  'certificate.issued',
  'certificate.refused',
  'certificate.revoked',
  'certificate.expiring',
  'certificate.renewed',
  'certificate_policy.modified',
  'ca.expiring',
  'ca.rotated',
  'public_certificate.issued',
  'public_certificate.failed',
  'config.reloaded',
  'store.backed_up',
  'store.restored',
  'master_key.rotated',
] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/**
 * Those of a change that the kind alone does not tell: an event of one does not compile without what was
 * there before and after. What changes by the others says `impliedChange()`; the rest changes nothing that
 * an account has.
 */
export const CHANGE_KINDS = [
  'account.created',
  'member.invited',
  'member.modified',
  'member.deleted',
  'api_key.created',
  'api_key.deleted',
  'service_token.created',
  'service_token.deleted',
  'share.created',
  'share.modified',
  'share.deleted',
  'host.claimed',
  'host.deleted',
  'provider.created',
  'provider.modified',
  'provider.deleted',
  'webhook.created',
  'webhook.modified',
  'webhook.secret_rotated',
  'webhook.deleted',
  'certificate_token.created',
  'certificate_token.deleted',
  'certificate.issued',
  'certificate.renewed',
  'certificate_policy.modified',
  'ca.rotated',
] as const satisfies readonly AuditKind[];
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What came of it: it was done, somebody was refused, or it could not be done. */
export const AUDIT_RESULTS = ['done', 'refused', 'failed'] as const;
export type AuditResult = (typeof AUDIT_RESULTS)[number];

export function auditResult(kind: AuditKind): AuditResult {
  return RESULTS[kind] ?? 'done';
}

/** Those with this result. */
export function kindsWith(result: AuditResult): readonly AuditKind[] {
  return AUDIT_KINDS.filter((kind) => auditResult(kind) === result);
}

const RESULTS: Readonly<Partial<Record<AuditKind, AuditResult>>> = {
  'login.refused': 'refused',
  'login.failed': 'failed',
  'refusals.omitted': 'refused',
  'session.refresh_failed': 'failed',
  'backchannel_logout.refused': 'refused',
  'console.refused': 'refused',
  'service_token.refused': 'refused',
  'certificate.refused': 'refused',
  'public_certificate.failed': 'failed',
};
