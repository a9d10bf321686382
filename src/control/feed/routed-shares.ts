// The shares that were handed on, by id and by host. There may be very many, most of which differ in their
// names alone: see `share-book.ts`.

import type { ShareBase } from '../../config/config.ts';
import { createAlike } from '../../domain/alike.ts';
import { type AlikeParts, createFlatShares } from '../../domain/flat-shares.ts';
import type { ShareId } from '../../domain/id.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import { allFlat, createShareBook, type SharesNow, sharesNow } from '../../domain/share-book.ts';
import type { Share, ShareLogin } from '../../domain/share.ts';
import { ROUTED_NAMES, type RoutedSettings } from '../../domain/share-values.ts';
import type { RoutedRow, ShareRow } from '../../store/shares/share.ts';
import { routedHosts, routedParts } from '../shares/view.ts';

export type RoutedSharesDeps = {
  readonly shareBase: ShareBase;
  /** `oauth.cookie_domain` of now: a reload of the configuration may change it. */
  readonly cookieDomain: () => string;
  /** The provider of that name as it is configured now. */
  readonly providerRef: (name: string) => ProviderRef | null;
};

export type RoutedShares = ReturnType<typeof createRoutedShares>;

export function createRoutedShares({ shareBase, cookieDomain, providerRef }: RoutedSharesDeps) {
  let book = createShareBook(sharesNow([]));
  const settingsOf = createAlike(ROUTED_NAMES);
  /** Not those of the share, but those that its row has, where it has any. */
  const ownHosts = new Map<ShareId, readonly string[]>();
  const where = () => ({ base: shareBase, cookieDomain: cookieDomain() });

  function update(upsert: readonly ShareRow[], remove: readonly ShareId[]): readonly Share[] {
    const partsOf = createParts((settings) => routedParts(settingsOf(settings), providerRef));
    const at = where();
    for (const id of remove) {
      book.remove(id);
      ownHosts.delete(id);
    }
    return upsert.map(({ id, accountId, name, target, hosts: own, ...settings }) => {
      const parts = partsOf(settingsOf(settings));
      keepOwnHosts(id, own);
      const hosts = routedHosts({ name, ownHosts: own, login: parts.login }, at);
      return put({ id, accountId, name, hosts, target, ...parts });
    });
  }

  /** To take all there are, a page at a time. */
  function filling() {
    const partsOf = createParts((settings) => routedParts(settingsOf(settings), providerRef));
    const at = where();
    const flat = createFlatShares();
    return {
      add: (rows: readonly RoutedRow[]) => {
        for (const { id, accountId, name, target, hosts: own, settings } of rows) {
          const parts = partsOf(settings);
          if (own.length > 0) ownHosts.set(id, own);
          const hosts = routedHosts({ name, ownHosts: own, login: parts.login }, at);
          flat.add({ id, accountId, name, hosts, target }, parts);
        }
      },
      done: (): SharesNow => {
        const now = allFlat(flat.done());
        book = createShareBook(now);
        return now;
      },
    };
  }

  /** Those that are still there. */
  function rebuild(ids: readonly ShareId[]): readonly Share[] {
    const loginOf = createLogins(providerRef);
    const at = where();
    return ids.flatMap((id) => {
      const former = book.find(id);
      if (former === undefined) return [];
      const { name, login } = former;
      const hosts = routedHosts({ name, ownHosts: ownHosts.get(id) ?? NONE, login }, at);
      return [put({ ...former, hosts, login: loginOf(login) })];
    });
  }

  function put(share: Share): Share {
    book.set(share);
    return share;
  }

  function keepOwnHosts(id: ShareId, own: readonly string[]): void {
    if (own.length > 0) ownHosts.set(id, own);
    else ownHosts.delete(id);
  }

  return {
    update,
    filling,
    /** Those it holds that are not among `rows`. */
    idsBut: (rows: readonly ShareRow[]): readonly ShareId[] => {
      const ids = new Set(rows.map((row) => row.id));
      return book.ids(() => true).filter((id) => !ids.has(id));
    },
    ids: (isMeant: (login: ShareLogin | null) => boolean): readonly ShareId[] =>
      book.ids(({ login }) => isMeant(login)),
    rebuild,
    find: (id: ShareId) => book.find(id) ?? null,
    findByHost: (host: string) => book.findByHost(host) ?? null,
  };
}

/** Once for all settings that are the same object, with the providers of now: for one call. */
function createParts(make: (settings: RoutedSettings) => AlikeParts) {
  const made = new Map<RoutedSettings, AlikeParts>();
  return (settings: RoutedSettings): AlikeParts => {
    const parts = made.get(settings) ?? make(settings);
    made.set(settings, parts);
    return parts;
  };
}

/** As `createParts()`. */
function createLogins(providerRef: RoutedSharesDeps['providerRef']) {
  const made = new Map<ShareLogin, ShareLogin>();
  return (former: ShareLogin | null): ShareLogin | null => {
    if (former === null) return null;
    const providers = () => former.providers.map(({ name }) => ({ name, provider: providerRef(name) }));
    const login = made.get(former) ?? { ...former, providers: providers() };
    made.set(former, login);
    return login;
  };
}

const NONE: readonly string[] = [];
