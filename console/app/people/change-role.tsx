// How a member becomes an admin, or an admin a member. It is changed onto the version that the question was
// asked of.

import { useQueryClient } from '@tanstack/react-query';
import type { MemberObject } from '../../../src/wire/member.ts';
import { client } from '../api/client.ts';
import { Confirm } from '../parts/confirm.tsx';
import { useTell } from '../parts/toast.tsx';
import { versionAsSeen } from './as-seen.ts';

type ChangeRoleProps = {
  readonly member: MemberObject;
  readonly isMe: boolean;
};

export function ChangeRole({ member, isMe }: ChangeRoleProps) {
  const queries = useQueryClient();
  const tell = useTell();
  const { email } = member;
  const role = member.role === 'admin' ? 'member' : 'admin';
  const label = role === 'admin' ? 'Make admin' : 'Make member';
  return (
    <Confirm
      label={label}
      about={`${label}: ${email}`}
      quiet
      calm
      title={role === 'admin' ? `Make ${email} an admin?` : `Make ${email} a member?`}
      action={label}
      run={async () => {
        await client.members.modify(member.id, { role }, await versionAsSeen(member));
        tell(`${email} is ${role === 'admin' ? 'an admin' : 'a member'} now`);
        await Promise.all(
          ['members', 'session'].map((key) => queries.invalidateQueries({ queryKey: [key] })),
        );
      }}
    >
      {role === 'admin' ? (
        <p>They may do everything here immediately, including people, keys, providers and certificates.</p>
      ) : (
        <p>
          {isMe ? 'You' : 'They'} may create and change shares, and see sessions and the audit log. API keys
          that {isMe ? 'you' : 'they'} created, and unused request tokens, lose the other rights at once.
        </p>
      )}
    </Confirm>
  );
}
