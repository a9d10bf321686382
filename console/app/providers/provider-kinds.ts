// The kinds of providers as people choose between them.

import type { ProviderType } from '../../../src/wire/provider.ts';

export type Kind = { readonly title: string; readonly about: string; readonly suggestedName: string };

export const KINDS: Readonly<Record<ProviderType, Kind>> = {
  GOOGLE: {
    title: 'Google',
    about: 'Google accounts: of your organisation, or anybody’s.',
    suggestedName: 'google',
  },
  GITHUB: {
    title: 'GitHub',
    about: 'GitHub accounts, by their verified primary address. Enterprise Server, too.',
    suggestedName: 'github',
  },
  OIDC: {
    title: 'OpenID Connect',
    about: 'Any other: Keycloak, Microsoft Entra ID, Okta, Auth0, Authentik, your own.',
    suggestedName: 'sso',
  },
};

/** Null for what is no type: an address may say anything. */
export function typeOf(text: string): ProviderType | null {
  const upper = text.toUpperCase();
  return Object.hasOwn(KINDS, upper) ? (upper as ProviderType) : null;
}
