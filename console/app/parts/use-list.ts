// Lists of the API, a page after the other.

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ServiceError } from '../../../src/domain/service-error.ts';

export type ListPage<Item> = {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  /** Of the first page, where the API counts them: how many there are, as far as it does. */
  readonly total?: number | null | undefined;
};

export type List<Item> = {
  readonly items: readonly Item[];
  /** Null where nobody counted. */
  readonly total?: number | null;
  readonly isLoading: boolean;
  /** What is shown is what was asked for before; what is asked for now is on its way. */
  readonly isEarlier?: boolean;
  readonly error: Error | null;
  readonly again: () => unknown;
  /** Null when everything is there. */
  readonly more: (() => unknown) | null;
  readonly isLoadingMore: boolean;
};

/** Of what came at once: all of it is there, and nothing is asked for. */
export function wholeList<Item>(items: readonly Item[]): List<Item> {
  return { items, isLoading: false, error: null, again: () => undefined, more: null, isLoadingMore: false };
}

/** `everyMs`: how often what is shown is read again. */
export function useList<Item>(
  key: readonly unknown[],
  read: (cursor: string | null) => Promise<ListPage<Item>>,
  everyMs: number | false = false,
): List<Item> {
  const list = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => pageWithItems(read, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: everyMs,
    // Whoever types what to look for sees the list change, not go and come.
    placeholderData: keepPreviousData,
  });
  return {
    items: list.data?.pages.flatMap(({ items }) => items) ?? [],
    total: list.data?.pages[0]?.total ?? null,
    isLoading: list.isPending,
    isEarlier: list.isPlaceholderData,
    // What is there stays in sight; the frame says that it may be old.
    error: list.data !== undefined && isUnreachable(list.error) ? null : list.error,
    again: list.refetch,
    more: list.hasNextPage ? list.fetchNextPage : null,
    isLoadingMore: list.isFetchingNextPage,
  };
}

/** Nobody answered: of a refusal that is no word. */
function isUnreachable(error: Error | null): boolean {
  return error instanceof ServiceError && error.code === 'control_unreachable';
}

/** A page of a search may hold nothing and still go on. */
export async function pageWithItems<Page extends ListPage<unknown>>(
  read: (cursor: string | null) => Promise<Page>,
  cursor: string | null = null,
): Promise<Page> {
  const first = await read(cursor);
  let page = first;
  while (page.items.length === 0 && page.nextCursor !== null) page = await read(page.nextCursor);
  return page === first ? page : { ...page, total: first.total };
}
