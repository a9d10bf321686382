// Whether an account would be left without an admin who can act.

import type { MemberObject } from '../../../src/wire/member.ts';

type Known = Pick<MemberObject, 'id' | 'role' | 'state'>;

/** Somebody who was invited as an admin and never logged in cannot act. `all` are all members. */
export function isLastAdmin(member: Known, all: readonly Known[]): boolean {
  const others = all.filter(
    ({ id, role, state }) => id !== member.id && role === 'admin' && state === 'active',
  );
  return member.role === 'admin' && member.state === 'active' && others.length === 0;
}
