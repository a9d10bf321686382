// Whether the backend of a share answers, as the last requests of visitors found: nobody asks it for the sake
// of this.

import { useQuery } from '@tanstack/react-query';
import type { ShareObject } from '../../../src/wire/share.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';

/** Nothing for one that answers, or that nobody asked anything lately. */
export function FailingBadge({ share }: { readonly share: ShareObject }) {
  const failing = useQuery({
    queryKey: ['shares', 'failing'],
    queryFn: async () => (await client.shares.list({ state: 'failing', limit: MOST })).items,
    refetchInterval: LIVE_MS,
  });
  const isFailing = failing.data?.some(({ id }) => id === share.id) === true;
  return isFailing ? <Badge tone="bad">not answering</Badge> : null;
}

/** As many as the API gives at once. With more the list's own filter finds them. */
const MOST = 200;
const LIVE_MS = 5_000;
