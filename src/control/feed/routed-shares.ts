// The shares that were handed on, by id and by host, with the rows to build them from again.

import type { ShareBase } from '../../config/config.ts';
import type { ShareId } from '../../domain/id.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import type { Share } from '../../domain/share.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import { routedShare } from '../shares/view.ts';

export type RoutedSharesDeps = {
  readonly shareBase: ShareBase;
  /** `oauth.cookie_domain` of now: a reload of the configuration may change it. */
  readonly cookieDomain: () => string;
  /** The provider of that name as it is configured now. */
  readonly providerRef: (name: string) => ProviderRef | null;
};

export type RoutedShares = ReturnType<typeof createRoutedShares>;

export function createRoutedShares({ shareBase, cookieDomain, providerRef }: RoutedSharesDeps) {
  const rows = new Map<ShareId, ShareRow>();
  const shares = new Map<ShareId, Share>();
  const byHost = new Map<string, Share>();

  function update(upsert: readonly ShareRow[], remove: readonly ShareId[]): readonly Share[] {
    for (const id of remove) forget(id);
    return upsert.map((row) => {
      forget(row.id);
      const share = routedShare(row, { base: shareBase, cookieDomain: cookieDomain() }, providerRef);
      rows.set(row.id, row);
      shares.set(row.id, share);
      for (const host of share.hosts) byHost.set(host, share);
      return share;
    });
  }

  function forget(id: ShareId): void {
    for (const host of shares.get(id)?.hosts ?? []) if (byHost.get(host)?.id === id) byHost.delete(host);
    rows.delete(id);
    shares.delete(id);
  }

  return {
    update,
    /** Those it holds that are not among `kept`. */
    idsBut: (kept: readonly ShareRow[]): readonly ShareId[] => {
      const ids = new Set(kept.map((row) => row.id));
      return [...rows.keys()].filter((id) => !ids.has(id));
    },
    idsOf: (isMeant: (row: ShareRow) => boolean): readonly ShareId[] =>
      [...rows.values()].filter(isMeant).map(({ id }) => id),
    /** Those that are still there. */
    rebuild: (ids: readonly ShareId[]) =>
      update(
        ids.flatMap((id) => rows.get(id) ?? []),
        [],
      ),
    find: (id: ShareId) => shares.get(id) ?? null,
    findByHost: (host: string) => byHost.get(host) ?? null,
  };
}
