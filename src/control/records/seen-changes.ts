// What a change changed is told to those who may read the thing itself: every member reads the audit log, and
// must not see there what else an admin alone reads.

import { CHANGE_KINDS, type ChangeKind } from '../../domain/audit-kind.ts';
import { isAllowed, type Permission } from '../authorize.ts';
import type { Caller } from '../control-deps.ts';

/** Kinds of events that the caller sees without their changes. */
export function hiddenFrom(caller: Caller): readonly ChangeKind[] {
  return CHANGE_KINDS.filter((kind) => !isAllowed(caller, SEEN_WITH[kind]));
}

const SEEN_WITH: Readonly<Record<ChangeKind, Permission>> = {
  'account.created': 'account.read',
  'member.invited': 'members.read',
  'member.modified': 'members.read',
  'member.deleted': 'members.read',
  'api_key.created': 'api_keys.read',
  'api_key.deleted': 'api_keys.read',
  'service_token.created': 'tokens.read',
  'service_token.deleted': 'tokens.read',
  'share.created': 'shares.read',
  'share.modified': 'shares.read',
  'share.deleted': 'shares.read',
  'host.claimed': 'shares.read',
  'host.deleted': 'shares.read',
  'provider.created': 'providers.read',
  'provider.modified': 'providers.read',
  'provider.deleted': 'providers.read',
  'webhook.created': 'webhooks.read',
  'webhook.modified': 'webhooks.read',
  'webhook.secret_rotated': 'webhooks.read',
  'webhook.deleted': 'webhooks.read',
  'certificate_token.created': 'certificates.read',
  'certificate_token.deleted': 'certificates.read',
  'certificate.issued': 'certificates.read',
  'certificate.renewed': 'certificates.read',
  'certificate_policy.modified': 'certificates.read',
  'ca.rotated': 'certificates.read',
};
