// RouteTable: host to share, an in-memory snapshot that changes arrive for. A host matches exactly or not at
// all.

import { countOfFlat, flatShare } from '../domain/flat-shares.ts';
import type { ShareId } from '../domain/id.ts';
import type { Share } from '../domain/share.ts';
import { createShareBook, type SharesNow } from '../domain/share-book.ts';
import { asksAtHandshake, namesCertificate } from '../domain/share-rules.ts';

export type RouteTable = {
  /** `host` is lower case, without port and trailing dot. */
  readonly findByHost: (host: string) => Share | undefined;
  readonly findById: (id: ShareId) => Share | undefined;
  readonly change: (upsert: readonly Share[], remove: readonly ShareId[]) => void;
  readonly size: () => number;
  /** How many ask for client certificates. */
  readonly certificateShares: () => number;
  /** How many are enabled and served by agents. */
  readonly tunnelShares: () => number;
};

export function createRouteTable(shares: SharesNow): RouteTable {
  const book = createShareBook(shares);
  const counts = countsOf(shares);
  const count = (share: Share, by: 1 | -1) => {
    counts.all += by;
    if (asksAtHandshake(share)) counts.certificate += by;
    if (isServedByAgents(share)) counts.tunnel += by;
  };
  const former = (id: ShareId) => {
    const share = book.find(id);
    if (share !== undefined) count(share, -1);
  };
  return {
    findByHost: book.findByHost,
    findById: book.find,
    change: (upsert, remove) => {
      for (const id of remove) {
        former(id);
        book.remove(id);
      }
      for (const share of upsert) {
        former(share.id);
        book.set(share);
        count(share, 1);
      }
    },
    size: () => counts.all,
    certificateShares: () => counts.certificate,
    tunnelShares: () => counts.tunnel,
  };
}

export function isServedByAgents({
  target,
  behind,
  enabled,
}: Pick<Share, 'target' | 'behind' | 'enabled'>): boolean {
  return target === null && !behind && enabled;
}

/** Of all at the start, and no rules compiled of those that name no certificate. */
function countsOf({ flat, replaced, shares }: SharesNow) {
  const names = flat.alike.map(namesCertificate);
  const agents = flat.alike.map(({ behind, enabled }) => isServedByAgents({ target: null, behind, enabled }));
  const counts = {
    all: shares.length,
    certificate: shares.filter(asksAtHandshake).length,
    tunnel: shares.filter(isServedByAgents).length,
  };
  for (let number = 0; number < countOfFlat(flat); number++) {
    if (replaced[number] === 1) continue;
    const kind = flat.kinds[number]!;
    counts.all++;
    if (names[kind] === true && asksAtHandshake(flatShare(flat, number))) counts.certificate++;
    if (agents[kind] === true && flat.targetless[number] === 1) counts.tunnel++;
  }
  return counts;
}
