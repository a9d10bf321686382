// The openid-client library, set up for one provider: its metadata, its own way to authenticate us,
// signatures always verified, every call through the dialler.

import type { JWTVerifyGetKey } from 'jose';
import * as oidc from 'openid-client';
import type { ClientCredential } from '../domain/client-credential.ts';
import { type DocumentLimits, withinBytes } from './answer-limits.ts';
import { createClientAuthentication } from './client-authentication.ts';
import type { OutboundFetch } from './dialler.ts';
import { createMetadataCache } from './metadata-cache.ts';
import { createKeySet, type KeySet } from './key-set.ts';
import { discover } from './openid-metadata.ts';
import { isOtherClaim } from './provider-fault.ts';
import type { ProviderHealth } from './provider-health.ts';
import { readToken } from './provider-values.ts';
import { createTokenReplay } from './token-replay.ts';
import { untilAborted } from './until-aborted.ts';

export type OpenIdClientOptions = ClientCredential & {
  readonly issuer: string;
  readonly discoveryUrl: string | null;
  /** Another spelling of the issuer that id tokens may have; null for none. */
  readonly issuerInTokens: string | null;
  readonly clientId: string;
  readonly fetch: OutboundFetch;
  readonly now: () => number;
  readonly health: ProviderHealth;
  readonly limits: DocumentLimits;
};

export type OpenIdClient = {
  readonly metadata: oidc.ServerMetadata;
  /** For calls that need no client authentication. They end with `signal`, if given. */
  readonly configuration: (signal?: AbortSignal) => oidc.Configuration;
  /** The provider's keys, for tokens that openid-client does not know. */
  readonly keySet: JWTVerifyGetKey;
  /** A call with client authentication. Ends with `signal`, if given. */
  readonly authenticated: <Answer>(
    call: (configuration: oidc.Configuration) => Promise<Answer>,
    signal?: AbortSignal,
  ) => Promise<Answer>;
};

/**
 * Discovers when first needed, and again as `createMetadataCache` says. Whoever asks waits for it until
 * `signal`, if given, and no longer; the discovery itself goes on for the others.
 */
export function createOpenIdClient(
  options: OpenIdClientOptions,
): (signal?: AbortSignal) => Promise<OpenIdClient> {
  const client = createMetadataCache(() => discoverClient(options), options.now);
  return (signal) => untilAborted(client(), signal);
}

async function discoverClient(options: OpenIdClientOptions): Promise<OpenIdClient> {
  const watched = options.health.watched(options.fetch);
  const { limits, now } = options;
  const metadata = await discover(options, withinBytes(watched, limits.bytes));
  const keys = createKeySet(metadata.jwks_uri ?? metadata.issuer, { fetch: watched, limits, now });
  // What no login needs says nothing of logins, and what one person's token meets nothing of others.
  const unwatched = new Set([metadata.revocation_endpoint, metadata.userinfo_endpoint]);
  const fetch: OutboundFetch = (url, request) => (unwatched.has(url) ? options.fetch : watched)(url, request);
  const authentication = createClientAuthentication(metadata, options);
  const ended = (each: OutboundFetch, signal: AbortSignal | undefined) =>
    endingWith(withKeySet(each, metadata, keys), signal);
  return {
    metadata,
    configuration: (signal) => configure(options, metadata, { fetch: ended(fetch, signal), way: undefined }),
    keySet: keys.find,
    authenticated: (call, signal) =>
      authentication(async (way) => {
        const replay = createTokenReplay(fetch, metadata.token_endpoint);
        try {
          return await call(configure(options, metadata, { fetch: ended(replay.fetch, signal), way }));
        } catch (error) {
          const { issuerInTokens: issuer } = options;
          if (issuer === null || !isOtherClaim(error) || !replay.isOf(issuer)) throw error;
          const respelt = { ...metadata, issuer, authorization_response_iss_parameter_supported: false };
          return call(configure(options, respelt, { fetch: ended(replay.again, signal), way }));
        }
      }),
  };
}

function configure(
  options: OpenIdClientOptions,
  metadata: oidc.ServerMetadata,
  { fetch, way }: { readonly fetch: OutboundFetch; readonly way: oidc.ClientAuth | undefined },
): oidc.Configuration {
  const client = {
    ...(options.clientSecret === null ? {} : { client_secret: options.clientSecret.reveal() }),
    [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
  };
  const configuration = new oidc.Configuration(metadata, options.clientId, client, way);
  configuration[oidc.customFetch] = async (url, request) => {
    const response = await fetch(url, request);
    return url === metadata.token_endpoint ? withoutChallenge(response) : response;
  };
  // The dialler has the limits; a second one would only hide which was hit.
  configuration.timeout = undefined;
  oidc.enableNonRepudiationChecks(configuration);
  // An http issuer is one on this machine: the dialler refuses any other.
  if (options.issuer.startsWith('http:')) oidc.allowInsecureRequests(configuration);
  return configuration;
}

/**
 * The library asks for the key set once a call, after the token that it is to verify with it came. That token
 * shows whether the keys that are known suffice.
 */
function withKeySet(fetch: OutboundFetch, metadata: oidc.ServerMetadata, keys: KeySet): OutboundFetch {
  let jwt: string | null = null;
  return async (url, request) => {
    if (url === metadata.jwks_uri)
      return keys.answer(jwt === null ? null : readToken(jwt, 'id token').reveal());
    const response = await fetch(url, request);
    if (response.status === 200) jwt = (await jwtOf(response.clone())) ?? jwt;
    return response;
  };
}

/** The token in an answer of the token endpoint, or the answer itself when the user info is signed. */
async function jwtOf(response: Response): Promise<string | null> {
  const text = await response.text();
  if (response.headers.get('content-type')?.startsWith('application/jwt') === true) return text;
  try {
    const { id_token: token } = JSON.parse(text) as { id_token?: unknown };
    return typeof token === 'string' ? token : null;
  } catch {
    return null;
  }
}

/** The library reads no body beside a challenge, and the body says what is wrong (RFC 6749 section 5.2). */
function withoutChallenge(response: Response): Response {
  if (!response.headers.has('www-authenticate')) return response;
  const headers = new Headers(response.headers);
  headers.delete('www-authenticate');
  return new Response(response.body, { status: response.status, headers });
}

/** Fetches that others wait for, too, go on without whoever no longer waits. */
function endingWith(fetch: OutboundFetch, signal: AbortSignal | undefined): OutboundFetch {
  if (signal === undefined) return fetch;
  return (url, request) => untilAborted(fetch(url, { ...request, signal }), signal);
}

/**
 * Clocks of hosted providers agree within a second or two; more would lengthen the life of stolen id tokens.
 */
export const CLOCK_TOLERANCE_SECONDS = 10;
