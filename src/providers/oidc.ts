// Any OpenID provider, as its settings describe it (contract 2.2 `oidc`; DESIGN 2.1).

import { ServiceError } from '../domain/service-error.ts';
import { createOpenIdProvider } from './openid-provider.ts';
import { joinPrompt } from './prompt.ts';
import { providerRef } from './provider-settings.ts';
import type { ProviderDeps, ProviderSettings } from './provider-settings.ts';
import type { Provider } from './provider.ts';

/** Throws `config_invalid` when there is no issuer. */
export function createOidc(settings: ProviderSettings, deps: ProviderDeps): Provider {
  const { issuer } = settings;
  if (issuer === null)
    throw new ServiceError('config_invalid', `Cannot use provider ${settings.name}: it has no issuer`);
  return createOpenIdProvider({
    ...deps,
    ref: providerRef(settings, issuer),
    issuer,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    usesPkce: settings.supportsPkce,
    scopes: settings.scopes,
    prompt: (selectAccount) => joinPrompt(selectAccount ? 'login' : null, ownPrompt(settings)),
    parameters: {},
    requireVerifiedEmail: settings.requireVerifiedEmail,
    revokesGrantAtOnce: false,
    rpInitiatedLogout: settings.rpInitiatedLogout ?? false,
  });
}

/** Offline access needs consent (OpenID Connect Core section 11), unless the operator says what this provider needs. */
function ownPrompt({ prompt, scopes }: ProviderSettings): string | null {
  return prompt ?? (scopes.includes('offline_access') ? 'consent' : null);
}
