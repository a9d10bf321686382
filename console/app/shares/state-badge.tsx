// The state of a share in one word, the same everywhere: off, or on, or why nobody reaches it although it is
// on. Of its target it says what the last requests of visitors found, and what gateways see that look at it.

import { useQuery } from '@tanstack/react-query';
import type { ShareObject } from '../../../src/wire/share.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { isServed } from './share-words.ts';

export function StateBadge({ share }: { readonly share: ShareObject }) {
  const failing = useQuery({
    queryKey: ['shares', 'failing'],
    queryFn: async () => (await client.shares.list({ state: 'failing', limit: MOST })).items,
    refetchInterval: LIVE_MS,
  });
  if (!share.enabled) return <Badge tone="neutral">off</Badge>;
  if (share.tunnel !== null && !isServed(share, Date.now())) return <Badge tone="warn">no agent</Badge>;
  if (failing.data?.some(({ id }) => id === share.id) === true)
    return <Badge tone="bad">target not answering</Badge>;
  return <Badge tone="good">on</Badge>;
}

/** As many as the API gives at once. With more the list's own filter finds them. */
const MOST = 200;
const LIVE_MS = 5_000;
