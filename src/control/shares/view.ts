// A stored share as the two readers see it: the API's callers and the data plane.

import type { ShareObject } from '../../wire/share.ts';
import type { ShareBase } from '../../config/config.ts';
import { formatDuration } from '../../domain/duration.ts';
import { isWithinDomain } from '../../domain/host-name.ts';
import { namedProviders, providerNames } from '../../domain/named-providers.ts';
import { isOpenToEveryone } from '../../domain/open-share.ts';
import type { AlikeParts } from '../../domain/flat-shares.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import { DEFAULT_CHECK_INTERVAL_MS, type Share } from '../../domain/share.ts';
import { shareHost, shareOrigin } from '../../domain/share-name.ts';
import type { Setting } from '../../domain/share-setting.ts';
import {
  KEPT_SETTINGS,
  keptKey,
  type RoutedSettings,
  routedSettings,
  type ShareSettings,
  type ShownSettings,
} from '../../domain/share-values.ts';
import type { ControlSettings } from '../control-deps.ts';
import { timeOrNull, timeText } from '../time-text.ts';
import type { ShareRow } from '../../store/shares/share.ts';

/** DESIGN 2.5. */
export function shareObject(row: ShareRow, base: ShareBase): ShareObject {
  return {
    id: row.id,
    name: row.name,
    url: shareOrigin(row.name, base),
    target: row.target,
    tunnel: row.tunnel,
    hosts: [shareHost(row.name, base), ...row.hosts],
    ...shownSettings(row),
    open: isOpenToEveryone(row),
    agentSeenAt: timeOrNull(row.agentSeenAt),
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
  };
}

/**
 * A share whose provider is not there (any more) keeps its login, with a null provider: the gate fails
 * closed. Hosts of its own are held against the configuration of now, which may have changed since it got
 * them: over plain HTTP, with a login, it answers at none that the session cookie does not reach, and never
 * at the name of another share.
 */
export function routedShare(
  { id, accountId, name, target, hosts: ownHosts, ...settings }: ShareRow,
  where: RoutedWhere,
  providerRef: (name: string) => ProviderRef | null,
): Share {
  const parts = routedParts(routedSettings(settings), providerRef);
  const hosts = routedHosts({ name, ownHosts, login: parts.login }, where);
  return { id, accountId, name, hosts, target, ...parts };
}

export type RoutedWhere = { readonly base: ShareBase; readonly cookieDomain: string };

/** What a share has of its settings alone, whatever its name and its hosts are. */
export function routedParts(
  settings: RoutedSettings,
  providerRef: (name: string) => ProviderRef | null,
): AlikeParts {
  const { oauthProvider, oauthEmailAddressPatterns, oauthCheckIntervalMs, ...others } = settings;
  const names = namedProviders(settings);
  return {
    login:
      names.length === 0
        ? null
        : {
            providers: names.map((name) => ({ name, provider: providerRef(name) })),
            named: providerNames(oauthProvider),
            emailPatterns: oauthEmailAddressPatterns,
            checkIntervalMs: oauthCheckIntervalMs ?? DEFAULT_CHECK_INTERVAL_MS,
          },
    ...others,
  };
}

/** Where it answers; `ownHosts` are those of its row. */
export function routedHosts(
  { name, ownHosts, login }: Pick<Share, 'name' | 'login'> & { readonly ownHosts: readonly string[] },
  { base, cookieDomain }: RoutedWhere,
): readonly string[] {
  return [
    shareHost(name, base),
    ...ownHosts.filter(
      (host) =>
        !isWithinDomain(host, base.domain) &&
        (login === null || base.scheme === 'https' || isWithinDomain(host, cookieDomain)),
    ),
  ];
}

/** As the data plane is to have it now, with the providers of its account. */
export function routedNow(
  row: ShareRow,
  {
    shareBase: base,
    cookieDomain,
    providersOf,
  }: Pick<ControlSettings, 'shareBase' | 'cookieDomain' | 'providersOf'>,
): Share {
  const providers = providersOf(row.accountId);
  return routedShare(
    row,
    { base, cookieDomain },
    (name) => providers.find((provider) => provider.name === name) ?? null,
  );
}

/** All but what is worked out of them. */
export function shownSettings(settings: ShareSettings): Omit<ShownSettings, 'open'> {
  const kept: Readonly<Record<string, unknown>> = settings;
  const shown = KEPT_SETTINGS.map(([name, setting]) => {
    const value = kept[keptKey(name, setting)];
    return [name, value === null ? null : shownValue(setting, value)];
  });
  return Object.fromEntries(shown) as Omit<ShownSettings, 'open'>;
}

function shownValue({ kind }: Setting, value: unknown): unknown {
  if (kind === 'duration') return formatDuration(value as number);
  return kind === 'section' ? { required: true, ...(value as object) } : value;
}
