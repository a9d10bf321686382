// A stored definition as the API's callers see it: without its secret, with the address to register.

import type { ProviderConfigObject, ProviderObject } from '../../wire/provider.ts';
import type { DefinitionConfig, ProviderDefinition } from '../../domain/provider-definition.ts';

export function providerObject(
  definition: ProviderDefinition,
  { endpointUrl, shares }: { readonly endpointUrl: URL; readonly shares: number },
): ProviderObject {
  const { id, name, type } = definition;
  return {
    id,
    name,
    type,
    config: configObject(definition),
    redirectUrl: redirectUrlOf(endpointUrl, name),
    shares,
    createdAt: new Date(definition.createdAt).toISOString(),
    updatedAt: new Date(definition.updatedAt).toISOString(),
  };
}

/** Contract 4.1: what is registered at the provider. */
export function redirectUrlOf(endpointUrl: URL, name: string): string {
  return `${endpointUrl.origin}/${name}/auth/callback`;
}

/** Only what the type has, so that what was read can be sent again. */
export function configObject({ type, config }: ProviderDefinition): ProviderConfigObject {
  const { clientId, scopes, prompt, emailPatterns, trustedAuthorities = null, loginParameters = {} } = config;
  return {
    clientId,
    ...OWN_PARTS[type](config),
    scopes,
    ...(prompt === null ? {} : { prompt }),
    ...(trustedAuthorities === null ? {} : { trustedAuthorities }),
    ...(Object.keys(loginParameters).length === 0 ? {} : { loginParameters }),
    emailPatterns,
  };
}

const OWN_PARTS: Readonly<
  Record<ProviderDefinition['type'], (config: DefinitionConfig) => Partial<ProviderConfigObject>>
> = {
  OIDC: ({
    issuerUrl,
    discoveryUrl = null,
    emailClaim = null,
    supportsPkce,
    requireVerifiedEmail,
    rpInitiatedLogout = false,
  }) => ({
    ...(issuerUrl === null ? {} : { issuerUrl }),
    ...(discoveryUrl === null ? {} : { discoveryUrl }),
    ...(emailClaim === null ? {} : { emailClaim }),
    supportsPkce,
    requireVerifiedEmail,
    ...(rpInitiatedLogout ? { rpInitiatedLogout } : {}),
  }),
  GOOGLE: ({ issuerUrl }) => (issuerUrl === null ? {} : { issuerUrl }),
  GITHUB: ({ baseUrl, apiUrl }) => ({
    ...(baseUrl === null ? {} : { baseUrl }),
    ...(apiUrl === null ? {} : { apiUrl }),
  }),
};
