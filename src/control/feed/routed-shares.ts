// The shares that were handed on, by id and by host, with what they are built from again. There may be very
// many, most of which differ in their names alone: what they have in common is held once.

import type { ShareBase } from '../../config/config.ts';
import { createAlike } from '../../domain/alike.ts';
import type { ShareId } from '../../domain/id.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import type { Share } from '../../domain/share.ts';
import { ROUTED_NAMES, type RoutedSettings } from '../../domain/share-values.ts';
import type { RoutedRow, ShareRow } from '../../store/shares/share.ts';
import { type RoutedParts, routedParts, withHosts } from '../shares/view.ts';

export type RoutedSharesDeps = {
  readonly shareBase: ShareBase;
  /** `oauth.cookie_domain` of now: a reload of the configuration may change it. */
  readonly cookieDomain: () => string;
  /** The provider of that name as it is configured now. */
  readonly providerRef: (name: string) => ProviderRef | null;
};

export type RoutedShares = ReturnType<typeof createRoutedShares>;

export function createRoutedShares({ shareBase, cookieDomain, providerRef }: RoutedSharesDeps) {
  const kept = new Map<ShareId, Kept>();
  const byHost = new Map<string, Share>();
  const settingsOf = createAlike(ROUTED_NAMES);
  const settingsOfRow = new WeakMap<RoutedSettings, RoutedSettings>();

  function update(upsert: readonly ShareRow[], remove: readonly ShareId[]): readonly Share[] {
    for (const id of remove) forget(id);
    return build(upsert.map((row) => rowSource(row, settingsOf(row))));
  }

  /** As `update`, of rows that hold once what they have in common. */
  function fill(rows: readonly RoutedRow[]): readonly Share[] {
    return build(rows.map((row) => rowSource(row, asHeld(row.settings))));
  }

  function asHeld(settings: RoutedSettings): RoutedSettings {
    const known = settingsOfRow.get(settings);
    if (known !== undefined) return known;
    const held = settingsOf(settings);
    settingsOfRow.set(settings, held);
    return held;
  }

  function build(sources: readonly Source[]): readonly Share[] {
    // Providers are as they are now, for this call alone.
    const parts = new Map<RoutedSettings, RoutedParts>();
    const where = { base: shareBase, cookieDomain: cookieDomain() };
    return sources.map((source) => {
      forget(source.id);
      const { settings } = source;
      const own = parts.get(settings) ?? routedParts(settings, providerRef);
      parts.set(settings, own);
      const share = withHosts(source, where, own);
      kept.set(source.id, { share, hosts: source.hosts, settings });
      for (const host of share.hosts) byHost.set(host, share);
      return share;
    });
  }

  function forget(id: ShareId): void {
    for (const host of kept.get(id)?.share.hosts ?? []) if (byHost.get(host)?.id === id) byHost.delete(host);
    kept.delete(id);
  }

  return {
    update,
    fill,
    /** Those it holds that are not among `rows`. */
    idsBut: (rows: readonly ShareRow[]): readonly ShareId[] => {
      const ids = new Set(rows.map((row) => row.id));
      return [...kept.keys()].filter((id) => !ids.has(id));
    },
    idsOf: (isMeant: (settings: RoutedSettings) => boolean): readonly ShareId[] =>
      [...kept.values()].filter(({ settings }) => isMeant(settings)).map(({ share }) => share.id),
    /** Those that are still there. */
    rebuild: (ids: readonly ShareId[]) => build(ids.flatMap((id) => sourceOf(kept.get(id)))),
    find: (id: ShareId) => kept.get(id)?.share ?? null,
    findByHost: (host: string) => byHost.get(host) ?? null,
  };
}

type Source = Pick<ShareRow, 'id' | 'accountId' | 'name' | 'target' | 'hosts'> & {
  readonly settings: RoutedSettings;
};

/** Not the share's hosts, but those that its row has. */
type Kept = Pick<Source, 'hosts' | 'settings'> & { readonly share: Share };

function rowSource(
  { id, accountId, name, target, hosts }: Omit<RoutedRow, 'settings'>,
  settings: RoutedSettings,
): Source {
  return { id, accountId, name, target, hosts, settings };
}

function sourceOf(found: Kept | undefined): readonly Source[] {
  if (found === undefined) return [];
  const { id, accountId, name, target } = found.share;
  return [{ id, accountId, name, target, hosts: found.hosts, settings: found.settings }];
}
