// The shares of somebody who leaves. They stay named as their owner: told before, so that somebody else can
// take them over.

import { useQuery } from '@tanstack/react-query';
import type { SharePage } from '../../../src/wire/share.ts';
import { client } from '../api/client.ts';
import { hrefTo, Link } from '../router.tsx';

export function OwnedShares({ owner }: { readonly owner: string }) {
  const { data } = useQuery({
    queryKey: ['shares', 'owned', owner],
    queryFn: () => client.shares.list({ owner, limit: MOST_NAMED }),
  });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <span className="under">
      {owner} owns{' '}
      <Link href={`${hrefTo('shares')}?${new URLSearchParams({ owner })}`}>{countText(data)}</Link>:{' '}
      {data.items.map(({ name }) => name).join(', ')}
      {data.nextCursor === null ? '' : ' …'}. These keep working and stay marked with this owner.
    </span>
  );
}

function countText({ items, nextCursor, total }: SharePage): string {
  const count = total ?? items.length;
  const known = nextCursor !== null && total === null ? `at least ${items.length}` : String(count);
  return `${known} ${count === 1 ? 'share' : 'shares'}`;
}

const MOST_NAMED = 5;
