// From settings to providers: one table of what runs for each type. No room above names a type.

import { appearanceOf } from '../domain/provider-appearance.ts';
import type { ProviderType } from '../domain/provider-kinds.ts';
import type { ProviderRef } from '../domain/provider-ref.ts';
import type { ProviderSettings, UnkeyedSettings } from '../domain/provider-settings.ts';
import { believing } from './believing.ts';
import { createDialler } from './dialler.ts';
import type { DiallerOptions } from './dialler.ts';
import { examineGitHub } from './examine-github.ts';
import { examineOpenId } from './examine-openid.ts';
import type { Examiner } from './examiner.ts';
import { createGitHub, gitHubRef } from './github.ts';
import { createGoogle, googleRef } from './google.ts';
import { createOidc, oidcRef } from './oidc.ts';
import type { ProviderDeps } from './provider-deps.ts';
import type { Provider } from './provider.ts';

export function createProvider(settings: ProviderSettings, deps: ProviderDeps): Provider {
  const fetch = believing(deps.fetch, settings);
  const client = CLIENTS[settings.type].create(settings, { ...deps, fetch });
  return { ...client, appearance: appearanceOf(settings) };
}

/** What shares and sessions know of the provider that `createProvider` makes: as cheap as that is not. */
export function refOfSettings(settings: UnkeyedSettings): ProviderRef {
  return CLIENTS[settings.type].ref(settings);
}

/** What looks at a provider of this type from outside. */
export function examinerOf(type: ProviderType): Examiner {
  return CLIENTS[type].examine;
}

/**
 * The configuration's providers by name. Nothing is fetched before a provider is used. Each has a dialler of
 * its own, which goes wherever the operator says.
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

type Client = {
  readonly create: (settings: ProviderSettings, deps: ProviderDeps) => Provider;
  readonly ref: (settings: UnkeyedSettings) => ProviderRef;
  readonly examine: Examiner;
};

const CLIENTS: Readonly<Record<ProviderType, Client>> = {
  google: { create: createGoogle, ref: googleRef, examine: examineOpenId },
  github: { create: createGitHub, ref: gitHubRef, examine: examineGitHub },
  oidc: { create: createOidc, ref: oidcRef, examine: examineOpenId },
};
