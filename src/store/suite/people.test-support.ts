// Members and logins for the suite to put in.

import assert from 'node:assert/strict';
import type { AccountId } from '../../domain/id.ts';
import { newId } from '../../domain/id.ts';
import type { Person } from '../../domain/member-match.ts';
import type { Role } from '../../domain/role.ts';
import type { ConsoleLogin, MemberRow, NewInvitation } from '../people/people.ts';
import type { Store } from '../store.ts';
import { HOUR_MS, START } from './bench.test-support.ts';

type NewMember = {
  readonly accountId: AccountId;
  readonly email: string;
  readonly role?: Role;
  readonly hash?: string;
};

export async function addMember(store: Store, { accountId, email, role = 'member', hash }: NewMember) {
  const member = { id: newId('mem'), accountId, email, role, createdAt: START };
  await store.members.invite({ ...member, by: 'member:mem_1' }, invitationOf(hash));
  return member;
}

export function invitationOf(hash: string = newId('inv'), lifetimeMs = HOUR_MS): NewInvitation {
  return { id: newId('inv'), hash, createdAt: START, expiresAt: START + lifetimeMs };
}

export async function memberOf(store: Store, accountId: AccountId, named: string): Promise<MemberRow> {
  const member = await store.members.find(accountId, named);
  assert.ok(member, `${named} is a member`);
  return member;
}

export function loginOf(
  email: string,
  over: Partial<ConsoleLogin> = {},
  person: Partial<Person> = {},
): ConsoleLogin {
  return {
    person: {
      provider: 'corp',
      generation: 'gen1',
      subject: email,
      email,
      emailVerified: true,
      ...person,
    },
    vouched: true,
    within: null,
    accountName: null,
    invitation: null,
    hash: newId('ses'),
    createdAt: START,
    ageMs: 0,
    expiresAt: START + HOUR_MS,
    ip: '192.0.2.1',
    replaces: null,
    ...over,
  };
}
