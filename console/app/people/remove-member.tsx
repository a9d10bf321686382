// How a member is removed.

import { useQueryClient } from '@tanstack/react-query';
import type { MemberObject } from '../../../src/wire/member.ts';
import { client } from '../api/client.ts';
import { Confirm } from '../parts/confirm.tsx';
import { useTell } from '../parts/toast.tsx';
import { versionAsSeen } from './as-seen.ts';

type RemoveMemberProps = {
  readonly member: MemberObject;
  readonly isMe: boolean;
};

export function RemoveMember({ member, isMe }: RemoveMemberProps) {
  const { email } = member;
  const queries = useQueryClient();
  const tell = useTell();
  return (
    <Confirm
      label="Remove"
      about={`Remove ${email}`}
      quiet
      title={isMe ? 'Remove yourself from this account?' : `Remove ${email}?`}
      action="Remove"
      run={async () => {
        await client.members.remove(member.id, await versionAsSeen(member));
        tell('The member was removed', email);
        await Promise.all(
          ['members', 'api-keys'].map((key) => queries.invalidateQueries({ queryKey: [key] })),
        );
      }}
    >
      <p>
        {isMe ? 'Your login here ends' : 'Their login here ends'} at once, and the API keys and service tokens
        that they created stop working. Shares, providers and certificates do not change. This cannot be
        undone: you would have to invite them again.
      </p>
    </Confirm>
  );
}
