// Audit events, the newest first: pages of what was, and, while it is followed, what is written down from
// then on.

import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AuditEventObject } from '../../../src/wire/audit-event.ts';
import { client } from '../api/client.ts';
import type { List } from '../parts/use-list.ts';
import type { AuditInput } from './audit-input.ts';

export type AuditFeed = {
  readonly list: List<AuditEventObject>;
  /** How many came since it is followed. */
  readonly came: number;
  /** What keeps it from being followed just now; null while nothing does. */
  readonly trouble: Error | null;
};

/** `filter` names the input: it is another when the input is another, not when time goes on. */
export function useAudit(filter: string, input: AuditInput, follows: boolean): AuditFeed {
  const past = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => client.auditEvents.list({ ...input, cursor: pageParam, limit: PAGE }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    // Read again, it would begin at another place than what is followed.
    refetchOnWindowFocus: !follows,
  });
  const pages = past.data?.pages ?? [];
  const following = useFollowing(filter, input, follows ? (pages[0]?.followCursor ?? null) : null);
  const fresh = following.data?.fresh ?? [];
  return {
    list: {
      items: [...fresh, ...pages.flatMap(({ items }) => items)],
      isLoading: past.isPending,
      error: past.error,
      again: past.refetch,
      more: past.hasNextPage ? past.fetchNextPage : null,
      isLoadingMore: past.isFetchingNextPage,
    },
    came: following.data?.came ?? 0,
    trouble: following.error,
  };
}

type Followed = {
  /** Where to go on. */
  readonly cursor: string;
  /** The newest first. */
  readonly fresh: readonly AuditEventObject[];
  readonly came: number;
};

/** What is written down after `start`; nothing while that is null. */
function useFollowing(filter: string, input: AuditInput, start: string | null) {
  const queries = useQueryClient();
  const queryKey = ['audit-after', filter, start];
  return useQuery({
    queryKey,
    enabled: start !== null,
    queryFn: async (): Promise<Followed> => {
      const { cursor, fresh, came } = queries.getQueryData<Followed>(queryKey) ?? {
        cursor: start ?? '',
        fresh: [],
        came: 0,
      };
      const page = await client.auditEvents.list({ ...input, order: 'oldest', cursor, limit: PAGE });
      return {
        cursor: page.nextCursor ?? page.followCursor,
        fresh: [...page.items.toReversed(), ...fresh].slice(0, MOST_FRESH),
        came: came + page.items.length,
      };
    },
    refetchInterval: FOLLOW_MS,
    refetchOnWindowFocus: false,
    // Whatever is wrong may be over at the next turn; what is known stays.
    retry: false,
    gcTime: 0,
  });
}

const PAGE = 100;
const FOLLOW_MS = 2_000;
/** More than anybody reads; a page that is left open does not grow without end. */
const MOST_FRESH = 2_000;
