// Refreshes tokens at a provider that speaks OpenID Connect, and judges what came: another person's tokens
// are nobody's, and a refresh token that took the place of one is never lost, whatever is wrong with the rest
// of the answer.

import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import type { ProviderRef } from '../domain/provider-ref.ts';
import type { Secret } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { OpenIdClient, OpenIdClientOptions } from './openid-client.ts';
import { isOtherClaim, isRefreshRefused, providerFault } from './provider-fault.ts';
import { type Claims, readOptionalToken, readSubject, readToken } from './provider-values.ts';
import type { RefusedGrant, Tokens } from './provider.ts';
import { refuseRefreshed } from './refreshed-id-token.ts';

export type RefreshOptions = Pick<OpenIdClientOptions, 'clientId' | 'issuer' | 'issuerInTokens' | 'now'> & {
  readonly ref: ProviderRef;
};

/**
 * RFC 6749 section 6. A new id token replaces the former one when it is of the same person and login (Core
 * section 12.2).
 */
export async function refresh(
  options: RefreshOptions,
  client: OpenIdClient,
  {
    tokens,
    signal,
    keep,
  }: {
    readonly tokens: Tokens;
    readonly signal: AbortSignal | undefined;
    readonly keep: ((rotated: Secret) => Promise<unknown>) | undefined;
  },
): Promise<Tokens | RefusedGrant | null> {
  if (tokens.refreshToken === null) return null;
  const refreshToken = tokens.refreshToken.reveal();
  const heard: { grant: Tokens | null } = { grant: null };
  try {
    const answer = await client.authenticated((configuration) => {
      listenForGrant(configuration, (grant) => (heard.grant = grant));
      return oidc.refreshTokenGrant(configuration, refreshToken);
    }, signal);
    const claims = answer.claims();
    const given = {
      accessToken: readToken(answer.access_token, 'access token'),
      subject: null,
      idToken: null,
    };
    const fresh = { ...given, refreshToken: readOptionalToken(answer.refresh_token, 'refresh token') };
    const former = tokens.idToken === null ? null : decodeJwt(tokens.idToken.reveal());
    const refused =
      claims === undefined
        ? null
        : refuseRefreshed(
            inOneSpelling(options, claims),
            { subject: tokens.subject, claims: former === null ? null : inOneSpelling(options, former) },
            options.now(),
          );
    if (refused !== null) return { refused, tokens: fresh };
    const idToken = readOptionalToken(answer.id_token, 'id token');
    return {
      accessToken: fresh.accessToken,
      refreshToken: fresh.refreshToken ?? tokens.refreshToken,
      idToken: idToken ?? tokens.idToken,
      idTokenIsNew: idToken !== null,
      subject: claims === undefined ? tokens.subject : subjectOf(options, claims),
    };
  } catch (error) {
    if (isRefreshRefused(error)) return null;
    if (heard.grant !== null && isOtherClaim(error))
      return { refused: 'id_token_changed', tokens: heard.grant };
    const rotated = heard.grant?.refreshToken ?? null;
    if (rotated !== null) await keep?.(rotated);
    throw providerFault(`refresh at ${options.ref.name}`, error);
  }
}

function inOneSpelling({ issuer, issuerInTokens }: RefreshOptions, claims: Claims): Claims {
  return issuerInTokens !== null && claims['iss'] === issuerInTokens ? { ...claims, iss: issuer } : claims;
}

/**
 * Tells of new tokens as soon as they come: the library gives nothing of an answer whose id token it cannot
 * verify, as when the key set does not come. What is kept is only ever sent back to where it came from.
 */
function listenForGrant(configuration: oidc.Configuration, found: (grant: Tokens) => void): void {
  const fetched = configuration[oidc.customFetch];
  const tokenEndpoint = configuration.serverMetadata().token_endpoint;
  if (fetched === undefined) return;
  configuration[oidc.customFetch] = async (url, request) => {
    const response = await fetched(url, request);
    if (url === tokenEndpoint && response.status === 200) {
      const grant = await newGrant(response.clone());
      if (grant !== null) found(grant);
    }
    return response;
  };
}

async function newGrant(response: Response): Promise<Tokens | null> {
  try {
    const document = (await response.json()) as Claims;
    const accessToken = readToken(document['access_token'], 'access token');
    const refreshToken = readOptionalToken(document['refresh_token'], 'refresh token');
    return { accessToken, refreshToken, idToken: null, subject: null };
  } catch {
    // Whatever is wrong with the answer is said by who judges all of it.
    return null;
  }
}

/** The validated id token's `sub`. `azp`, where it is said, must be us (Core section 3.1.3.7 point 5). */
export function subjectOf(
  options: Pick<RefreshOptions, 'clientId'>,
  claims: oidc.IDToken | undefined,
): string {
  if (claims?.azp !== undefined && claims.azp !== options.clientId)
    throw new ServiceError('provider_error', 'Cannot accept the ID token: it was issued to another client');
  return readSubject(claims?.sub);
}
