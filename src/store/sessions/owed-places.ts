// Who has a place among the logouts that are owed to a store that is away, when more want one than there are.
// A logout of a session that is known to be one stays before any that may be made up; of either kind, no
// network has most places while another has few.

import { addressBlock, addressSite } from '../../domain/address-site.ts';
import { SITES_OF_A_BLOCK } from '../../domain/network-window.ts';

export type OwedPlaces<T> = {
  /** False when there is no place for it. */
  readonly take: (
    owed: T,
    by: { readonly from: string | null; /** The session is known to be one. */ readonly isReal: boolean },
  ) => boolean;
  /** It is done. */
  readonly leave: (owed: T) => void;
};

/** `displaced` hears of what lost its place to another. */
export function createOwedPlaces<T>({ displaced }: { readonly displaced: (owed: T) => void }): OwedPlaces<T> {
  const groups = { real: new Map<string, Set<T>>(), perhaps: new Map<string, Set<T>>() };
  const placeOf = new Map<T, Place>();
  /** How many may be made up, of one subscriber. */
  const perhapsOf = new Map<string, number>();
  const countSite = ({ kind, site }: Place, by: 1 | -1) => {
    if (kind === 'real') return;
    const count = (perhapsOf.get(site) ?? 0) + by;
    if (count > 0) perhapsOf.set(site, count);
    else perhapsOf.delete(site);
  };
  const leave = (owed: T) => {
    const place = placeOf.get(owed);
    if (place === undefined) return;
    placeOf.delete(owed);
    countSite(place, -1);
    const { kind, network } = place;
    const group = groups[kind].get(network);
    group?.delete(owed);
    if (group?.size === 0) groups[kind].delete(network);
  };
  /** The newest of the network that has the most of a kind, and more than `few`. */
  const spare = (kind: Place['kind'], few: number): T | null => {
    let most: Set<T> | null = null;
    for (const group of groups[kind].values()) if (group.size > (most?.size ?? few)) most = group;
    return most === null ? null : ([...most].at(-1) ?? null);
  };
  return {
    leave,
    take(owed, { from, isReal }) {
      const kind = isReal ? 'real' : 'perhaps';
      const [network, site] = from === null ? ['', ''] : [addressBlock(from), addressSite(from)];
      const own = groups[kind].get(network);
      const count = own?.size ?? 0;
      const isFull = count >= MOST_PERHAPS * SITES_OF_A_BLOCK || (perhapsOf.get(site) ?? 0) >= MOST_PERHAPS;
      if (!isReal && isFull) return false;
      if (placeOf.size >= MOST) {
        const made = isReal ? spare('perhaps', 0) : null;
        const out = made ?? spare(kind, count + 1);
        if (out === null) return false;
        leave(out);
        displaced(out);
      }
      const place = { kind, network, site } as const;
      placeOf.set(owed, place);
      countSite(place, 1);
      groups[kind].set(network, (groups[kind].get(network) ?? new Set()).add(owed));
      return true;
    },
  };
}

type Place = { readonly kind: 'real' | 'perhaps'; readonly network: string; readonly site: string };

/** An outage of minutes at a busy place. */
export const MOST = 10_000;
/**
 * Of one /64 of IPv6 or address of IPv4: an office whose people have all just come back to a console that was
 * restarted.
 */
export const MOST_PERHAPS = 100;
