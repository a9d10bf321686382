// Any OpenID provider, as its settings describe it (contract 2.2 `oidc`; DESIGN 2.1).

import { parseDuration } from '../domain/duration.ts';
import type { LoginStrength } from '../domain/login-strength.ts';
import type { ProviderRef } from '../domain/provider-ref.ts';
import { providerRef } from '../domain/provider-settings.ts';
import type { ProviderSettings, UnkeyedSettings } from '../domain/provider-settings.ts';
import { ServiceError } from '../domain/service-error.ts';
import { createOpenIdProvider } from './openid-provider.ts';
import type { ProviderDeps } from './provider-deps.ts';
import type { Provider } from './provider.ts';

/** Throws `config_invalid` when there is no issuer. */
export function createOidc(settings: ProviderSettings, deps: ProviderDeps): Provider {
  const issuer = issuerOf(settings);
  return createOpenIdProvider({
    ...deps,
    ref: oidcRef(settings),
    issuer,
    discoveryUrl: settings.discoveryUrl ?? null,
    issuerInTokens: null,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    clientKey: settings.clientKey ?? null,
    usesPkce: settings.supportsPkce,
    scopes: settings.scopes,
    selectPrompt: 'login',
    prompt: settings.prompt,
    // OpenID Connect Core section 11.
    wantsOfflineAccess: settings.scopes.includes('offline_access'),
    parameters: settings.loginParameters ?? {},
    emailClaim: settings.emailClaim ?? 'email',
    strength: strengthOf(settings),
    facts: { groups: settings.groupsClaim ?? null, claims: settings.claims ?? [] },
    requireVerifiedEmail: settings.requireVerifiedEmail,
    revokesGrantAtOnce: false,
    rpInitiatedLogout: settings.rpInitiatedLogout ?? false,
  });
}

/** Throws as `createOidc`. */
export function oidcRef(settings: UnkeyedSettings): ProviderRef {
  const { discoveryUrl = null, emailClaim = null } = settings;
  const issuer = issuerOf(settings);
  // Where its metadata come from, and which claim names people, are as much the source of who they are as the
  // issuer is.
  const isPlain = discoveryUrl === null && emailClaim === null;
  return providerRef(settings, isPlain ? issuer : JSON.stringify([issuer, discoveryUrl, emailClaim]));
}

function strengthOf({ acrValues = [], maxAge = null }: UnkeyedSettings): LoginStrength {
  return { acrValues, maxAgeMs: maxAge === null ? null : parseDuration(maxAge) };
}

function issuerOf({ name, issuer }: UnkeyedSettings): string {
  if (issuer !== null) return issuer;
  throw new ServiceError('config_invalid', `Cannot use provider ${name}: it has no issuer`);
}
