// Google (contract 2.2 `<hosted_a>`): OpenID Connect with Google's own way to ask for a refresh token, always
// with PKCE, and with an email that Google says is verified. Revocation is Google's OAuth2 revocation
// endpoint, as its metadata names it.

import { ANY_STRENGTH } from '../domain/login-strength.ts';
import { PROVIDER_KINDS } from '../domain/provider-kinds.ts';
import type { ProviderRef } from '../domain/provider-ref.ts';
import { neededSecret, providerRef } from '../domain/provider-settings.ts';
import type { ProviderSettings, UnkeyedSettings } from '../domain/provider-settings.ts';
import { hostedDomainGroups } from './openid-facts.ts';
import { createOpenIdProvider } from './openid-provider.ts';
import type { ProviderDeps } from './provider-deps.ts';
import type { Provider } from './provider.ts';

export function createGoogle(settings: ProviderSettings, deps: ProviderDeps): Provider {
  return createOpenIdProvider({
    ...deps,
    ref: googleRef(settings),
    issuer: issuerOf(settings),
    discoveryUrl: null,
    issuerInTokens: issuerOf(settings).replace(/^https?:\/\//, ''),
    clientId: settings.clientId,
    clientSecret: neededSecret(settings),
    usesPkce: true,
    scopes: scopesOf(settings.scopes),
    selectPrompt: 'select_account',
    prompt: settings.prompt,
    // While a person's grant is in force, a further login brings a refresh token only with consent.
    wantsOfflineAccess: true,
    parameters: { ...settings.loginParameters, access_type: 'offline' },
    emailClaim: 'email',
    strength: ANY_STRENGTH,
    facts: { groups: hostedDomainGroups, claims: settings.claims ?? [] },
    requireVerifiedEmail: true,
    revokesGrantAtOnce: true,
    rpInitiatedLogout: false,
  });
}

export function googleRef(settings: UnkeyedSettings): ProviderRef {
  return providerRef(settings, issuerOf(settings));
}

function issuerOf({ issuer }: UnkeyedSettings): string {
  return issuer ?? FIELDS.issuerUrl.absent;
}

/** Google asks for offline access by a parameter, and refuses the scope of that name. */
function scopesOf(scopes: readonly string[]): readonly string[] {
  return scopes.length === 0 ? FIELDS.scopes.absent : scopes.filter((scope) => scope !== 'offline_access');
}

const FIELDS = PROVIDER_KINDS.google.fields;
