// What can be done to members of the list: to one by the menu of its row, to several that are chosen.

import type { InvitedMember, MemberObject } from '../../../src/wire/member.ts';
import { client } from '../api/client.ts';
import type { Act } from '../parts/acts/act.ts';
import { versionAsSeen } from './as-seen.ts';
import { OwnedShares } from './owned-shares.tsx';

export function memberName({ email }: MemberObject): string {
  return email;
}

type Removal = {
  readonly isMe: (member: MemberObject) => boolean;
  /** Whether the account would have no admin who can act. */
  readonly isLast: (member: MemberObject) => boolean;
};

export function removeMembers({ isMe, isLast }: Removal): Act<MemberObject> {
  return {
    label: 'Remove',
    isDanger: true,
    isFor: (member) => !isLast(member),
    question: (members) => {
      const [first] = members;
      if (members.length !== 1 || first === undefined) return `Remove ${members.length} members?`;
      return isMe(first) ? 'Remove yourself from this account?' : `Remove ${first.email}?`;
    },
    about: (members) => (
      <>
        {members.length === 1 && members.every(isMe) ? 'Your login here ends' : 'Their login here ends'} at
        once, and the API keys and service tokens that they created stop working. Shares, providers and
        certificates do not change. This cannot be undone: you would have to invite them again.
        {members.slice(0, MOST_LOOKED_UP).map(({ id, email }) => (
          <OwnedShares key={id} owner={email} />
        ))}
      </>
    ),
    action: 'Remove',
    done: (count) => (count === 1 ? 'The member was removed' : `${count} members were removed`),
    run: async (member) => client.members.remove(member.id, await versionAsSeen(member)),
  };
}

/** A new link, for somebody who never logged in, or whose login is lost. */
export function inviteAgain(isActive: boolean, invited: (made: InvitedMember) => void): Act<MemberObject> {
  return {
    label: isActive ? 'New login' : 'Invite again',
    isFor: ({ state }) => (state === 'active') === isActive,
    question: ([member]) => `Create a new invitation for ${member?.email}?`,
    about: isActive
      ? 'For a lost login: whoever logs in with the new link becomes this member, and the old login stops working. Until then the old one works.'
      : 'The previous link stops working.',
    action: 'Create link',
    done: () => 'The invitation was created',
    run: async ({ id }) => invited(await client.members.invite(id)),
  };
}

/** Each is a question to the service. */
const MOST_LOOKED_UP = 8;
