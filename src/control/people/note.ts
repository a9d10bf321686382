// What the audit says of a change to a member or an API key, before and after. Of an invitation and of a key
// it says that there is a new one, and never what it is.

import type { ChangeFields } from '../../domain/audit-change.ts';
import type { LimitedApiKey, MemberRow } from '../../store/people/people.ts';
import type { ChangeNote } from '../change-note.ts';
import { timeOrNull } from '../time-text.ts';

type ToldMember = Pick<MemberRow, 'email' | 'role' | 'invitedUntil'>;

/** `before` of one that is invited again. */
export function memberInvited(before: ToldMember | null, after: ToldMember): ChangeNote {
  const changes = {
    before: before && memberFields(before),
    after: memberFields(after),
    secrets: ['invitation'],
  };
  return { kind: 'member.invited', email: after.email, reason: after.role, changes };
}

export function memberModified(before: ToldMember, after: ToldMember): ChangeNote {
  const changes = { before: memberFields(before), after: memberFields(after) };
  return { kind: 'member.modified', email: after.email, reason: after.role, changes };
}

export function memberDeleted(member: Pick<MemberRow, 'id'> & ToldMember): ChangeNote {
  const changes = { before: memberFields(member), after: null };
  return { kind: 'member.deleted', email: member.email, reason: member.id, changes };
}

type ToldKey = Pick<LimitedApiKey, 'name' | 'start' | 'role' | 'scope' | 'expiresAt'>;

export function apiKeyCreated(key: ToldKey): ChangeNote {
  const changes = { before: null, after: keyFields(key), secrets: ['key'] };
  return { kind: 'api_key.created', reason: key.name, changes };
}

export function apiKeyDeleted(key: ToldKey): ChangeNote {
  return { kind: 'api_key.deleted', reason: key.name, changes: { before: keyFields(key), after: null } };
}

function memberFields({ email, role, invitedUntil }: ToldMember): ChangeFields {
  return { email, role, invitedUntil: timeOrNull(invitedUntil) };
}

function keyFields({ name, start = null, role, scope, expiresAt }: ToldKey): ChangeFields {
  return { name, start, role, scope, expiresAt: timeOrNull(expiresAt) };
}
