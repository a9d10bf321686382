// From settings to providers: three types, three entries in one record. No room above names a type.

import type { ProviderRef, ProviderType } from '../domain/provider-ref.ts';
import { believing } from './believing.ts';
import { createDialler } from './dialler.ts';
import type { DiallerOptions } from './dialler.ts';
import { createGitHub, gitHubRef } from './github.ts';
import { createGoogle, googleRef } from './google.ts';
import { createOidc, oidcRef } from './oidc.ts';
import type { ProviderDeps, ProviderSettings, UnkeyedSettings } from './provider-settings.ts';
import type { Provider } from './provider.ts';

export function createProvider(settings: ProviderSettings, deps: ProviderDeps): Provider {
  const fetch = believing(deps.fetch, settings);
  return TYPES[settings.type].create(settings, { ...deps, fetch });
}

/** What shares and sessions know of the provider that `createProvider` makes: as cheap as that is not. */
export function refOfSettings(settings: UnkeyedSettings): ProviderRef {
  return TYPES[settings.type].ref(settings);
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

type TypeOfProvider = {
  readonly create: (settings: ProviderSettings, deps: ProviderDeps) => Provider;
  readonly ref: (settings: UnkeyedSettings) => ProviderRef;
};

const TYPES: Readonly<Record<ProviderType, TypeOfProvider>> = {
  google: { create: createGoogle, ref: googleRef },
  github: { create: createGitHub, ref: gitHubRef },
  oidc: { create: createOidc, ref: oidcRef },
};
