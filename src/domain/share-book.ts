// All shares by id and by host: those that were there at the start in flat memory, and as objects those that
// changed since, or that somebody asked for. The main thread and each worker have one, and share what is
// flat.

import {
  countOfFlat,
  createFlatShares,
  type FlatShares,
  flatId,
  flatNumberOfHost,
  flatNumberOfId,
  flatShare,
} from './flat-shares.ts';
import type { ShareId } from './id.ts';
import type { Share } from './share.ts';

/** As another thread can be told of them. */
export type SharesNow = {
  readonly flat: FlatShares;
  /** For each of these, 1 when it counts no more: it is among `shares`, or gone. */
  readonly replaced: Uint8Array;
  readonly shares: readonly Share[];
};

export type ShareBook = {
  readonly find: (id: ShareId) => Share | undefined;
  /** `host` is lower case, without port and trailing dot. */
  readonly findByHost: (host: string) => Share | undefined;
  /** A share is another object with each of its changes, and the same one until then. */
  readonly set: (share: Share) => void;
  readonly remove: (id: ShareId) => void;
  /** Of those that `isMeant`, which sees what many may have alike. */
  readonly ids: (isMeant: (share: Pick<Share, 'login'>) => boolean) => readonly ShareId[];
  readonly now: () => SharesNow;
};

export function createShareBook({ flat, replaced: before, shares }: SharesNow): ShareBook {
  const replaced = before.slice();
  const byId = new Map<ShareId, Share>();
  const byHost = new Map<string, Share>();
  const counting = (number: number | null) => (number === null || replaced[number] === 1 ? null : number);
  const flatBy = (host: string) => counting(flatNumberOfHost(flat, host));
  const remove = (id: ShareId) => {
    const former = byId.get(id);
    for (const host of former?.hosts ?? []) if (byHost.get(host) === former) byHost.delete(host);
    byId.delete(id);
    const number = flatNumberOfId(flat, id);
    if (number !== null) replaced[number] = 1;
  };
  const set = (share: Share) => {
    remove(share.id);
    byId.set(share.id, share);
    for (const host of share.hosts) byHost.set(host, share);
  };
  /** From now on an object: it is found at once, and stays the same. */
  const taken = (number: number): Share => {
    const share = flatShare(flat, number);
    byId.set(share.id, share);
    // Not one that another share took over since.
    for (const host of share.hosts) if (!byHost.has(host) && flatBy(host) === number) byHost.set(host, share);
    replaced[number] = 1;
    return share;
  };
  for (const share of shares) set(share);
  return {
    find: (id) => {
      const known = byId.get(id);
      if (known !== undefined) return known;
      const number = counting(flatNumberOfId(flat, id));
      return number === null ? undefined : taken(number);
    },
    findByHost: (host) => {
      const known = byHost.get(host);
      if (known !== undefined) return known;
      const number = flatBy(host);
      return number === null ? undefined : taken(number);
    },
    set,
    remove,
    ids: (isMeant) => {
      const meant = flat.alike.map(isMeant);
      const ids: ShareId[] = [];
      for (let number = 0; number < countOfFlat(flat); number++)
        if (replaced[number] === 0 && meant[flat.kinds[number]!] === true) ids.push(flatId(flat, number));
      for (const share of byId.values()) if (isMeant(share)) ids.push(share.id);
      return ids;
    },
    now: () => ({ flat, replaced: replaced.slice(), shares: [...byId.values()] }),
  };
}

/** All of them as objects. */
export function sharesNow(shares: readonly Share[]): SharesNow {
  return { ...allFlat(createFlatShares().done()), shares };
}

export function allFlat(flat: FlatShares): SharesNow {
  return { flat, replaced: new Uint8Array(countOfFlat(flat)), shares: [] };
}
