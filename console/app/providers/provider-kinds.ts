// What must be known of each kind of provider, and where people find it.

import type { ProviderType } from '../../../src/client/provider-object.ts';

export type Kind = {
  readonly title: string;
  /** Where a client is registered there. */
  readonly register: string;
  readonly needsIssuer: boolean;
};

export const KINDS: Readonly<Record<ProviderType, Kind>> = {
  OIDC: {
    title: 'OpenID Connect',
    register:
      'Register a confidential web client at the provider (Keycloak, Entra, Okta and so on), with the authorization code flow.',
    needsIssuer: true,
  },
  GOOGLE: {
    title: 'Google',
    register:
      'In the Google Cloud console, under “APIs & Services”, “Credentials”: an OAuth client ID of the kind “Web application”.',
    needsIssuer: false,
  },
  GITHUB: {
    title: 'GitHub',
    register: 'In the settings of your organisation, under “Developer settings”: an OAuth app.',
    needsIssuer: false,
  },
};
