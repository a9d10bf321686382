// From settings to providers: three types, three entries in one record. No room above names a type.

import type { ProviderType } from '../domain/provider-ref.ts';
import { createDialler } from './dialler.ts';
import type { DiallerOptions } from './dialler.ts';
import { createGitHub } from './github.ts';
import { createGoogle } from './google.ts';
import { createOidc } from './oidc.ts';
import type { ProviderDeps, ProviderSettings } from './provider-settings.ts';
import type { Provider } from './provider.ts';

export function createProvider(settings: ProviderSettings, deps: ProviderDeps): Provider {
  return MAKERS[settings.type](settings, deps);
}

/**
 * The configuration's providers by name. Nothing is fetched before a provider is used. Each has a dialler of its own, which
 * goes wherever the operator says.
 */
export function createProviders(
  configured: readonly ProviderSettings[],
  deps: { readonly now: () => number; readonly lookup?: DiallerOptions['lookup'] },
): ReadonlyMap<string, Provider> {
  const { now, lookup } = deps;
  return new Map(
    configured.map((settings) => {
      const { fetch } = createDialler({
        allow: 'operator',
        ownListeners: [],
        refused: 'provider_error',
        unreachable: 'provider_unreachable',
        ...(lookup === undefined ? {} : { lookup }),
      });
      return [settings.name, createProvider(settings, { fetch, now })];
    }),
  );
}

const MAKERS: Readonly<Record<ProviderType, (settings: ProviderSettings, deps: ProviderDeps) => Provider>> = {
  google: createGoogle,
  github: createGitHub,
  oidc: createOidc,
};
