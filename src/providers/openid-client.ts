// The openid-client library, set up for one provider: its metadata, its own way to authenticate us, signatures always
// verified, every call through the dialler.

import * as oidc from 'openid-client';
import type { Secret } from '../domain/secret.ts';
import type { OutboundFetch } from './dialler.ts';
import { createMetadataCache } from './metadata-cache.ts';
import { discover, limitKeySetFetches } from './openid-metadata.ts';

export type OpenIdClientOptions = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly fetch: OutboundFetch;
  readonly now: () => number;
};

export type OpenIdClient = {
  readonly metadata: oidc.ServerMetadata;
  readonly configuration: oidc.Configuration;
  /** The same, whose calls also end with `signal`. */
  readonly within: (signal: AbortSignal) => oidc.Configuration;
};

/** Discovers when first needed, and again as `createMetadataCache` says. */
export function createOpenIdClient(options: OpenIdClientOptions): () => Promise<OpenIdClient> {
  return createMetadataCache(async () => {
    const metadata = await discover(options.issuer, options.fetch);
    const fetch = limitKeySetFetches(options.fetch, metadata.jwks_uri, options.now);
    return {
      metadata,
      configuration: configure(options, metadata, fetch),
      within: (signal) =>
        configure(options, metadata, (url, request) => options.fetch(url, { ...request, signal })),
    };
  }, options.now);
}

function configure(
  options: OpenIdClientOptions,
  metadata: oidc.ServerMetadata,
  fetch: OutboundFetch,
): oidc.Configuration {
  const secret = options.clientSecret.reveal();
  const configuration = new oidc.Configuration(
    metadata,
    options.clientId,
    { client_secret: secret, [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    authentication(metadata, secret),
  );
  configuration[oidc.customFetch] = (url, request) => fetch(url, request);
  // The dialler has the limits; a second one would only hide which was hit.
  configuration.timeout = undefined;
  oidc.enableNonRepudiationChecks(configuration);
  // An http issuer is one on this machine: the dialler refuses any other.
  if (options.issuer.startsWith('http:')) oidc.allowInsecureRequests(configuration);
  return configuration;
}

/** RFC 6749 section 2.3.1: Basic is what every server must know; the other only where it alone is offered. */
function authentication(metadata: oidc.ServerMetadata, secret: string): oidc.ClientAuth {
  const offered = metadata.token_endpoint_auth_methods_supported;
  const postOnly =
    Array.isArray(offered) &&
    offered.includes('client_secret_post') &&
    !offered.includes('client_secret_basic');
  return postOnly ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
}

/** Clocks of hosted providers agree within a second or two; more would lengthen the life of stolen id tokens. */
const CLOCK_TOLERANCE_SECONDS = 10;
