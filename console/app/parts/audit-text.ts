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
  'login.refused': bad('Login refused', 'The person is known, and is not let in here.'),
  'login.failed': bad('Login failed', 'A login could not be completed.'),
  'refusals.omitted': bad(
    'Refusals omitted',
    'A share refused more visitors than are recorded. The event says how many are missing.',
  ),
  'session.refreshed': plain('Session checked', 'The provider still knows the person: the session goes on.'),
  'session.refresh_failed': bad('Session check failed', 'The provider could not be asked, or said no.'),
  'session.ended': plain('Session ended', 'A session is over: ended by an admin, by a check or by a change.'),
  logout: plain('Logged out', 'Somebody logged out, here or at the provider.'),
  'backchannel_logout.refused': bad(
    'Logout at the provider refused',
    'A logout message of a provider is not valid: the log says why. Whoever logged out there stays logged in here.',
  ),
  'account.created': plain('Account created', 'The operator made the account.'),
  'account.suspended': bad('Account suspended', 'The operator closed the account: nothing of it answers.'),
  'account.resumed': plain('Account resumed', 'The operator opened the account again.'),
  'member.invited': plain('Member invited', 'Somebody may join the account.'),
  'member.accepted': plain('Invitation accepted', 'The invited person logged in for the first time.'),
  'member.modified': plain('Member changed', 'A member got another role.'),
  'member.deleted': plain('Member removed', 'Somebody is a member no more, and out at once.'),
  'console.login': plain('Logged in to the console', 'A member logged in to the control plane.'),
  'console.refused': bad('Console login refused', 'Whoever logged in is no member here.'),
  'console.logout': plain('Logged out of the console', 'A member ended their session at the control plane.'),
  'device_login.allowed': plain('Command line logged in', 'A member allowed a device to act for them.'),
  'device_login.denied': bad('Command line login denied', 'A member did not know the device that asked.'),
  'api_key.created': plain('API key created', 'A program can call the API with a new key.'),
  'api_key.deleted': plain('API key deleted', 'A key is worth nothing any more.'),
  'share.created': plain('Share created', 'Something new is published.'),
  'share.modified': plain('Share changed', 'Settings of a share were changed, or it was switched on or off.'),
  'share.deleted': plain('Share deleted', 'A share is gone; its name stays the account’s.'),
  'host.claimed': plain('Host claimed', 'A host name of one’s own is to be proved.'),
  'host.proved': plain('Host proved', 'A share answers at a host name of one’s own.'),
  'host.lost': bad('Host lost', 'Its proof was gone: the share answers there no more.'),
  'host.deleted': plain('Host deleted', 'A share answers at a host name no more.'),
  'host.granted': plain('Host granted', 'The operator gave the account a host name.'),
  'host.revoked': bad('Host revoked', 'The operator took a host name back.'),
  'provider.created': plain('Provider defined', 'People can log in with another provider.'),
  'provider.modified': plain('Provider changed', 'The definition of a provider is another now.'),
  'provider.deleted': plain('Provider deleted', 'Nobody can log in with it any more.'),
  'provider.tried': plain('Provider tried', 'An admin made a real login to see what the provider says.'),
  'webhook.created': plain('Webhook created', 'Events are posted to another address.'),
  'webhook.modified': plain(
    'Webhook changed',
    'Its address, name or kinds changed, or it was switched on or off.',
  ),
  'webhook.secret_rotated': plain('Webhook secret rotated', 'Another secret signs what is posted.'),
  'webhook.deleted': plain('Webhook deleted', 'Events are posted there no more.'),
  'webhook.tested': plain('Webhook tested', 'A test event was posted.'),
  'webhook.disabled': bad('Webhook switched off', 'It failed for three days, so the service gave it up.'),
  'certificate_token.created': plain('Certificate link created', 'Somebody can get a certificate.'),
  'certificate_token.deleted': plain('Certificate link deleted', 'It gives no certificate any more.'),
  'certificate.issued': plain('Certificate issued', 'A link was redeemed for a certificate.'),
  'certificate.refused': bad('Certificate refused', 'A request for a certificate was no good.'),
  'certificate.revoked': plain('Certificate revoked', 'It opens nothing any more.'),
  'certificate.expiring': bad('Certificate expires soon', 'Whoever holds it should renew it.'),
  'certificate.renewed': plain('Certificate renewed', 'Its holder got a new one.'),
  'certificate_policy.modified': plain(
    'Certificate rules changed',
    'What certificates may say is another now.',
  ),
  'ca.expiring': bad(
    'Authority expires within a year',
    'Replace it; certificates of both count until it ends.',
  ),
  'ca.rotated': plain('Authority rotated', 'New certificates are issued by a new authority.'),
  'config.reloaded': plain('Configuration read again', 'The operator changed the configuration.'),
  'store.backed_up': plain('Store backed up', 'The operator made a backup.'),
  'store.restored': plain('Store restored', 'The operator restored a backup.'),
  'master_key.rotated': plain('Master key rotated', 'What is kept encrypted is under a new key.'),
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
      'host.claimed',
      'host.proved',
      'host.lost',
      'host.deleted',
      'host.granted',
      'host.revoked',
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
  invalid_grant: 'the provider knows the login no more',
  subject_changed: 'the provider said that it is another person',
  provider_changed: 'the provider was changed',
  provider_deleted: 'the provider was deleted',
  share_deleted: 'the share was deleted',
  replaced: 'a later login took its place',
  restored: 'a backup was restored',
};
