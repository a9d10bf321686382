// OpenID Connect Discovery: fetches a provider's metadata, and believes it only when it is for the issuer
// that was configured (OpenID Connect Discovery sections 4.2, 4.3).

import type { ServerMetadata } from 'openid-client';
import { ServiceError } from '../domain/service-error.ts';
import type { OutboundFetch } from './dialler.ts';
import { faultOfStatus } from './provider-fault.ts';
import { retryAfterExtra } from './retry-after.ts';
import { pickUsed } from './used-metadata.ts';

/** Throws `provider_unreachable`, or `provider_error` for metadata that cannot be used. */
export async function discover(
  { issuer, discoveryUrl }: Discovery,
  fetch: OutboundFetch,
): Promise<ServerMetadata> {
  const address = metadataAddress({ issuer, discoveryUrl });
  const response = await fetch(address, { method: 'GET', headers: { accept: 'application/json' } });
  if (response.status !== 200)
    throw new ServiceError(
      faultOfStatus(response.status),
      `Cannot read ${address}: the status is ${response.status}`,
      {
        hint: 'Enter the issuer exactly as the provider names it.',
        extra:
          faultOfStatus(response.status) === 'provider_error'
            ? {}
            : retryAfterExtra(response.headers, Date.now()),
      },
    );
  return judgeMetadata(issuer, await readJson(address, response));
}

/** `discoveryUrl` is null where the metadata lie below the issuer. */
export type Discovery = { readonly issuer: string; readonly discoveryUrl: string | null };

/** OpenID Connect Discovery section 4, unless the settings name another one. */
export function metadataAddress({ issuer, discoveryUrl }: Discovery): string {
  return discoveryUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/**
 * What logins use of the metadata, with its algorithm lists cut down to what is accepted. Throws
 * `provider_error`.
 */
export function judgeMetadata(issuer: string, document: unknown): ServerMetadata {
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw refusal(issuer, 'they are not an object');
  const metadata = document as ServerMetadata;
  if (typeof metadata.issuer !== 'string' || URL.parse(metadata.issuer)?.href !== URL.parse(issuer)?.href)
    throw refusal(issuer, 'they are for another issuer');
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
    if (typeof metadata[name] !== 'string') throw refusal(issuer, `${name} is missing`);
  const picked = pickUsed(metadata);
  if ('unusable' in picked) throw refusal(issuer, `${picked.unusable} is not a URL, or is too long`);
  return {
    ...(picked.used as ServerMetadata),
    id_token_signing_alg_values_supported: accepted(issuer, metadata.id_token_signing_alg_values_supported),
    userinfo_signing_alg_values_supported: [...SIGNING_ALGORITHMS],
  };
}

/**
 * What the provider says that it signs with, as far as it is accepted; all that is accepted when it says
 * nothing.
 */
function accepted(issuer: string, offered: unknown): string[] {
  if (!Array.isArray(offered)) return [...SIGNING_ALGORITHMS];
  const both = SIGNING_ALGORITHMS.filter((algorithm) => offered.includes(algorithm));
  if (both.length === 0) throw refusal(issuer, 'it supports no accepted signature algorithm');
  return both;
}

async function readJson(address: string, response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new ServiceError('provider_error', `Cannot read ${address}: it is not JSON`);
  }
}

function refusal(issuer: string, found: string): ServiceError {
  return new ServiceError('provider_error', `Cannot use the metadata of ${issuer}: ${found}`, {
    hint: 'Enter the issuer exactly as the provider names it. If tenants share an address, use the issuer of your tenant.',
  });
}

/**
 * Asymmetric signatures only: `none` proves nothing, and HMAC keys are known to every holder of the client
 * secret.
 */
export const SIGNING_ALGORITHMS: readonly string[] =
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA'.split(' ');
