// How a member is removed.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { MemberObject } from '../../../src/wire/member.ts';
import type { SharePage } from '../../../src/wire/share.ts';
import { client } from '../api/client.ts';
import { Confirm } from '../parts/confirm.tsx';
import { useTell } from '../parts/toast.tsx';
import { hrefTo, Link } from '../router.tsx';
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
      <OwnedShares owner={email} isMe={isMe} />
    </Confirm>
  );
}

/** Whoever leaves stays named as their owner: told here, so that somebody else can take them over. */
function OwnedShares({ owner, isMe }: { readonly owner: string; readonly isMe: boolean }) {
  const { data } = useQuery({
    queryKey: ['shares', 'owned', owner],
    queryFn: () => client.shares.list({ owner, limit: MOST_NAMED }),
  });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <p>
      {isMe ? 'You own' : 'They own'}{' '}
      <Link href={`${hrefTo('shares')}?${new URLSearchParams({ owner })}`}>{countText(data)}</Link>:{' '}
      {data.items.map(({ name }) => name).join(', ')}
      {data.nextCursor === null ? '' : ' …'}. These keep working and stay marked with this owner.
    </p>
  );
}

function countText({ items, nextCursor, total }: SharePage): string {
  const count = total ?? items.length;
  const known = nextCursor !== null && total === null ? `at least ${items.length}` : String(count);
  return `${known} ${count === 1 ? 'share' : 'shares'}`;
}

const MOST_NAMED = 5;
