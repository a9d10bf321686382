// The openid-client library, set up for one provider: its metadata, its own way to authenticate us, signatures always
// verified, every call through the dialler.

import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import * as oidc from 'openid-client';
import type { Secret } from '../domain/secret.ts';
import { createClientAuthentication } from './client-authentication.ts';
import { CALL_LIMIT_MS, type OutboundFetch } from './dialler.ts';
import { createMetadataCache } from './metadata-cache.ts';
import { discover, limitKeySetFetches } from './openid-metadata.ts';
import { untilAborted } from './until-aborted.ts';

export type OpenIdClientOptions = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly fetch: OutboundFetch;
  readonly now: () => number;
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
 * Discovers when first needed, and again as `createMetadataCache` says. Whoever asks waits for it until `signal`, if given,
 * and no longer; the discovery itself goes on for the others.
 */
export function createOpenIdClient(
  options: OpenIdClientOptions,
): (signal?: AbortSignal) => Promise<OpenIdClient> {
  const client = createMetadataCache(() => discoverClient(options), options.now);
  return (signal) => untilAborted(client(), signal);
}

async function discoverClient(options: OpenIdClientOptions): Promise<OpenIdClient> {
  const metadata = await discover(options.issuer, options.fetch);
  const fetch = limitKeySetFetches(options.fetch, metadata.jwks_uri, options.now);
  const authentication = createClientAuthentication(metadata, options.clientSecret.reveal());
  const configured = (way: oidc.ClientAuth | undefined, signal: AbortSignal | undefined) =>
    configure(options, metadata, { fetch: endingWith(fetch, signal), way });
  return {
    metadata,
    configuration: (signal) => configured(undefined, signal),
    keySet: remoteKeySet(metadata, fetch),
    authenticated: (call, signal) => authentication((way) => call(configured(way, signal))),
  };
}

function configure(
  options: OpenIdClientOptions,
  metadata: oidc.ServerMetadata,
  { fetch, way }: { readonly fetch: OutboundFetch; readonly way: oidc.ClientAuth | undefined },
): oidc.Configuration {
  const client = {
    client_secret: options.clientSecret.reveal(),
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

/** Fetched when first needed. jose asks for an unknown key id again after 30 s at the earliest, and keeps keys for 10 minutes. */
function remoteKeySet({ issuer, jwks_uri }: oidc.ServerMetadata, fetch: OutboundFetch): JWTVerifyGetKey {
  let keys: JWTVerifyGetKey | null = null;
  return (header, token) => {
    keys ??= createRemoteJWKSet(new URL(jwks_uri ?? issuer), {
      timeoutDuration: CALL_LIMIT_MS,
      [customFetch]: (url, { method, headers, signal }) =>
        fetch(url, { method, headers: Object.fromEntries(headers), signal }),
    });
    return keys(header, token);
  };
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

/** Clocks of hosted providers agree within a second or two; more would lengthen the life of stolen id tokens. */
export const CLOCK_TOLERANCE_SECONDS = 10;
