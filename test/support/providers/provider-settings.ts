// The settings of the certified provider, made from a stand-in's options.

import type { OidcClient, OidcProviderOptions } from './oidc-provider.ts';
import { signingKey } from './signing-key.ts';

export function clientMetadata(client: OidcClient | undefined) {
  if (client === undefined) return undefined;
  return {
    client_id: client.clientId,
    ...(client.keys === undefined ? { client_secret: client.clientSecret } : { jwks: { keys: client.keys } }),
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris ?? [],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // The library takes `sub` from the account's key, which never changes; the pairwise hook lets a test
    // change it.
    subject_type: 'pairwise',
    token_endpoint_auth_method:
      client.keys === undefined
        ? (client.tokenEndpointAuthMethod ?? 'client_secret_basic')
        : 'private_key_jwt',
    ...(client.backchannelLogoutUri === undefined
      ? {}
      : {
          backchannel_logout_uri: client.backchannelLogoutUri,
          backchannel_logout_session_required: client.backchannelLogoutSessionRequired ?? false,
        }),
  };
}

export function providerSettings(options: OidcProviderOptions) {
  const when = options.refreshTokens ?? 'always';
  return {
    clients: [],
    subjectTypes: ['pairwise'],
    jwks: { keys: [SIGNING_KEY] },
    enabledJWA: { clientAuthSigningAlgValues: options.assertionAlgorithms ?? ASSERTION_ALGORITHMS },
    cookies: { keys: ['a stand-in keeps no secrets'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', ...FURTHER_CLAIMS] },
    acrValues: ['silver', 'gold'],
    conformIdTokenClaims: options.withoutUserinfo !== true,
    scopes: ['openid', 'offline_access', 'email', 'profile'],
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: options.withoutRevocation !== true, allowedPolicy: sameClient },
      userinfo: { enabled: options.withoutUserinfo !== true },
      rpInitiatedLogout: { enabled: true },
      backchannelLogout: { enabled: true },
    },
    // Its own dispatcher calls nobody on this machine, where those are that it sends logouts to.
    fetch: (url: string, { dispatcher: _guard, ...init }: RequestInit & { dispatcher?: unknown }) =>
      fetch(url, init),
    interactions: {
      url: (_context: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}`,
    },
    pkce: { required: () => options.requirePkce ?? false },
    rotateRefreshToken: options.rotateRefreshTokens ?? false,
    issueRefreshToken: async (
      _context: unknown,
      client: { grantTypeAllowed: (type: string) => boolean },
      code: { scopes: Set<string> },
    ) =>
      client.grantTypeAllowed('refresh_token') &&
      (when === 'always' || (when === 'offline_access' && code.scopes.has('offline_access'))),
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      IdToken: 3600,
      RefreshToken: 86_400,
      Grant: 86_400,
      Session: 86_400,
      Interaction: 3600,
      ...options.ttl,
    },
  };
}

/** RFC 7009 section 2.1: a token is revoked by the client that it was issued to. */
const sameClient = async (
  _context: unknown,
  client: { readonly clientId: string },
  token: { readonly clientId: string },
) => client.clientId === token.clientId;

/** Claims that an account may have. */
const FURTHER_CLAIMS = ['groups', 'realm_access', 'department', 'https://corp.example/roles'];
const ASSERTION_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const SIGNING_KEY = {
  ...signingKey(),
  use: 'sig',
  alg: 'RS256',
  kid: 'stand-in',
};
