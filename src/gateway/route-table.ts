// RouteTable: host to share, an in-memory snapshot that changes arrive for. A host matches exactly or not at
// all.

import type { ShareId } from '../domain/id.ts';
import type { Share } from '../domain/share.ts';
import { asksAtHandshake } from '../domain/share-rules.ts';

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

export function createRouteTable(shares: readonly Share[]): RouteTable {
  const byHost = new Map<string, Share>();
  const byId = new Map<ShareId, Share>();
  let certificateShares = 0;
  let tunnelShares = 0;
  const remove = (id: ShareId) => {
    const former = byId.get(id);
    if (former === undefined) return;
    byId.delete(id);
    if (asksAtHandshake(former)) certificateShares--;
    if (isServedByAgents(former)) tunnelShares--;
    for (const host of former.hosts) if (byHost.get(host) === former) byHost.delete(host);
  };
  const upsert = (share: Share) => {
    remove(share.id);
    byId.set(share.id, share);
    if (asksAtHandshake(share)) certificateShares++;
    if (isServedByAgents(share)) tunnelShares++;
    for (const host of share.hosts) byHost.set(host, share);
  };
  for (const share of shares) upsert(share);
  return {
    findByHost: (host) => byHost.get(host),
    findById: (id) => byId.get(id),
    change: (added, removed) => {
      for (const id of removed) remove(id);
      for (const share of added) upsert(share);
    },
    size: () => byId.size,
    certificateShares: () => certificateShares,
    tunnelShares: () => tunnelShares,
  };
}

export function isServedByAgents({ target, behind, enabled }: Share): boolean {
  return target === null && !behind && enabled;
}
