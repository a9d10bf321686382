// What each kind of audit event is called, and what it means, in words for people; and which kinds belong
// together.

import type { AuditKind } from '../../../src/domain/audit-kind.ts';
import { FAULTS } from '../../../src/domain/service-error.ts';

export type KindText = {
  /** In the past tense, to be read after who and when. */
  readonly title: string;
  readonly about: string;
  /** Whether something was refused, failed or was lost: what somebody may want to look at. */
  readonly tone: 'plain' | 'bad';
};

export type KindGroup = { readonly title: string; readonly kinds: readonly AuditKind[] };

/** What is told of a kind; one that this page does not know yet is told by its own name. */
export function kindText(kind: string): KindText {
  return isKnown(kind)
    ? KIND_TEXTS[kind]
    : { title: kind, about: 'An event of a newer version.', tone: 'plain' };
}

/** Why it happened, where the service says so by a code that has words; its own text otherwise. */
export function reasonText(reason: string | null): string {
  if (reason === null) return '';
  if (Object.hasOwn(REASONS, reason)) return REASONS[reason] ?? reason;
  return isFault(reason) ? FAULTS[reason].title : reason;
}

/** The kinds that a filter of the address names: a kind, or a group by its title. */
export function kindsOf(wanted: string): readonly AuditKind[] {
  if (isKnown(wanted)) return [wanted];
  return KIND_GROUPS.find(({ title }) => groupValue(title) === wanted)?.kinds ?? [];
}

/** What stands in the address for a whole group. */
export function groupValue(title: string): string {
  return `all-${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
}

function isKnown(kind: string): kind is AuditKind {
  return Object.hasOwn(KIND_TEXTS, kind);
}

function isFault(reason: string): reason is keyof typeof FAULTS {
  return Object.hasOwn(FAULTS, reason);
}

const plain = (title: string, about: string): KindText => ({ title, about, tone: 'plain' });
const bad = (title: string, about: string): KindText => ({ title, about, tone: 'bad' });

export const KIND_TEXTS: Readonly<Record<AuditKind, KindText>> = {
  'login.succeeded': plain('Logged in', 'Somebody logged in to a share with a provider.'),
  'login.refused': bad('Login refused', 'The person logged in, but may not open this share.'),
  'login.failed': bad('Login failed', 'A login could not be completed.'),
  'refusals.omitted': bad(
    'Refusals omitted',
    'A share refused more visitors than are recorded. The event says how many are missing.',
  ),
  'session.refreshed': plain('Session checked', 'The provider confirmed the person: the session continues.'),
  'session.refresh_failed': bad('Session check failed', 'The provider could not be reached, or refused.'),
  'session.ended': plain('Session ended', 'A session ended: by an admin, by a check or by a change.'),
  logout: plain('Logged out', 'Somebody logged out, here or at the provider.'),
  'backchannel_logout.refused': bad(
    'Logout at the provider refused',
    'A logout message of a provider is invalid: the log says why. The person stays logged in here.',
  ),
  'account.created': plain('Account created', 'The operator created the account.'),
  'account.suspended': bad(
    'Account suspended',
    'The operator suspended the account: its shares stopped answering.',
  ),
  'account.resumed': plain('Account resumed', 'The operator resumed the account.'),
  'member.invited': plain('Member invited', 'Somebody may join the account.'),
  'member.accepted': plain('Invitation accepted', 'The invited person logged in for the first time.'),
  'member.modified': plain('Member changed', 'A member got another role.'),
  'member.deleted': plain('Member removed', 'A member was removed and lost access at once.'),
  'console.login': plain('Logged in to the console', 'A member logged in to the control plane.'),
  'console.refused': bad('Console login refused', 'The person who logged in is not a member here.'),
  'console.logout': plain('Logged out of the console', 'A member logged out of the control plane.'),
  'device_login.allowed': plain('Command line logged in', 'A member allowed a device to act for them.'),
  'device_login.denied': bad('Command line login denied', 'A member denied the login of a device.'),
  'api_key.created': plain('API key created', 'A program can call the API with a new key.'),
  'api_key.deleted': plain('API key deleted', 'The key stopped working.'),
  'service_token.created': plain('Service token created', 'A program can open shares with a new token.'),
  'service_token.deleted': plain('Service token deleted', 'The token stopped working.'),
  'service_token.refused': bad('Service token refused', 'A program may not open this share.'),
  'share.created': plain('Share created', 'A new share was created.'),
  'share.modified': plain('Share changed', 'Settings of a share were changed, or it was switched on or off.'),
  'share.deleted': plain('Share deleted', 'A share was deleted; the account keeps its name.'),
  'access.requested': plain('Access requested', 'Somebody whom a share refused asked to be let in.'),
  'access.granted': plain('Access granted', 'Somebody who asked is let in to a share for a time.'),
  'access.dismissed': plain('Access request dismissed', 'Somebody who asked is not let in.'),
  'access.ended': plain('Access ended', 'An admin ended everything that a person could use at that time.'),
  'host.claimed': plain('Host claimed', 'The account claimed its own host name.'),
  'host.proved': plain('Host verified', 'A share answers at the account’s own host name.'),
  'host.lost': bad('Host lost', 'Another account verified the host: the share no longer answers there.'),
  'host.deleted': plain('Host deleted', 'A share no longer answers at a host name.'),
  'host.granted': plain('Host granted', 'The operator granted the account a host name.'),
  'host.revoked': bad('Host revoked', 'The operator revoked a granted host name.'),
  'provider.created': plain('Provider defined', 'People can log in with another provider.'),
  'provider.modified': plain('Provider changed', 'The definition of a provider changed.'),
  'provider.deleted': plain('Provider deleted', 'Nobody can log in with it.'),
  'provider.tried': plain('Provider trial', 'An admin made a real login to see what the provider says.'),
  'webhook.created': plain('Webhook created', 'Events are sent to a new webhook.'),
  'webhook.modified': plain(
    'Webhook changed',
    'Its address, name or kinds changed, or it was switched on or off.',
  ),
  'webhook.secret_rotated': plain('Webhook secret rotated', 'A new secret signs deliveries.'),
  'webhook.deleted': plain('Webhook deleted', 'Events are no longer sent there.'),
  'webhook.tested': plain('Webhook tested', 'A test event was sent.'),
  'webhook.redelivered': plain('Event redelivered', 'Somebody sent an event to a webhook again.'),
  'webhook.disabled': bad('Webhook disabled', 'It failed for three days, so the service disabled it.'),
  'certificate_token.created': plain('Certificate link created', 'Somebody can get a certificate.'),
  'certificate_token.deleted': plain('Certificate link deleted', 'The link stopped working.'),
  'certificate.issued': plain('Certificate issued', 'A link was redeemed for a certificate.'),
  'certificate.refused': bad('Certificate refused', 'A request for a certificate was rejected.'),
  'certificate.revoked': plain('Certificate revoked', 'The certificate stopped working.'),
  'certificate.expiring': bad('Certificate expires soon', 'Its holder should renew it.'),
  'certificate.renewed': plain('Certificate renewed', 'Its holder got a new one.'),
  'certificate_policy.modified': plain('Certificate rules changed', 'The rules for certificates changed.'),
  'ca.expiring': bad(
    'Certificate authority expires within a year',
    'Replace it; certificates of both are accepted until it expires.',
  ),
  'ca.rotated': plain('Certificate authority replaced', 'A new certificate authority issues certificates.'),
  'public_certificate.issued': plain('Public certificate issued', 'The host has a certificate for https.'),
  'public_certificate.failed': bad(
    'No public certificate',
    'A certificate for https could not be issued or renewed. It is tried again.',
  ),
  'config.reloaded': plain('Configuration reloaded', 'The operator changed the configuration.'),
  'store.backed_up': plain('Database backed up', 'The operator made a backup.'),
  'store.restored': plain('Database restored', 'The operator restored a backup.'),
  'master_key.rotated': plain('Master key rotated', 'Secrets are encrypted under a new key.'),
};

/** Each kind is in exactly one. */
export const KIND_GROUPS: readonly KindGroup[] = [
  {
    title: 'Logins and sessions',
    kinds: [
      'login.succeeded',
      'login.refused',
      'login.failed',
      'refusals.omitted',
      'session.refreshed',
      'session.refresh_failed',
      'session.ended',
      'access.ended',
      'logout',
      'backchannel_logout.refused',
    ],
  },
  {
    title: 'Shares and hosts',
    kinds: [
      'share.created',
      'share.modified',
      'share.deleted',
      'access.requested',
      'access.granted',
      'access.dismissed',
      'host.claimed',
      'host.proved',
      'host.lost',
      'host.deleted',
      'host.granted',
      'host.revoked',
      'public_certificate.issued',
      'public_certificate.failed',
    ],
  },
  {
    title: 'Providers',
    kinds: ['provider.created', 'provider.modified', 'provider.deleted', 'provider.tried'],
  },
  {
    title: 'Certificates',
    kinds: [
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
    ],
  },
  {
    title: 'Members and keys',
    kinds: [
      'member.invited',
      'member.accepted',
      'member.modified',
      'member.deleted',
      'device_login.allowed',
      'device_login.denied',
      'api_key.created',
      'api_key.deleted',
      'service_token.created',
      'service_token.deleted',
      'service_token.refused',
    ],
  },
  { title: 'Console', kinds: ['console.login', 'console.refused', 'console.logout'] },
  {
    title: 'Webhooks',
    kinds: [
      'webhook.created',
      'webhook.modified',
      'webhook.secret_rotated',
      'webhook.deleted',
      'webhook.tested',
      'webhook.redelivered',
      'webhook.disabled',
    ],
  },
  {
    title: 'Account and service',
    kinds: [
      'account.created',
      'account.suspended',
      'account.resumed',
      'config.reloaded',
      'store.backed_up',
      'store.restored',
      'master_key.rotated',
    ],
  },
];

/** Codes that are no faults of the API. */
const REASONS: Readonly<Record<string, string>> = {
  ended_by_admin: 'ended by an admin',
  invalid_grant: 'the provider no longer confirms the login',
  subject_changed: 'the provider named another person',
  provider_changed: 'the provider was changed',
  provider_deleted: 'the provider was deleted',
  share_deleted: 'the share was deleted',
  replaced: 'a later login replaced it',
  restored: 'a backup was restored',
};
