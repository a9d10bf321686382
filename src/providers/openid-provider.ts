// A provider that speaks OpenID Connect (Core 1.0, authorization code flow). `oidc.ts` and `google.ts` say
// what is special about theirs. It keeps nothing of any person between calls.

import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as oidc from 'openid-client';
import type { Identity } from '../domain/identity.ts';
import type { LoginStrength } from '../domain/login-strength.ts';
import type { ProviderRef } from '../domain/provider-ref.ts';
import { ServiceError } from '../domain/service-error.ts';
import { documentLimits } from './answer-limits.ts';
import { readCallback } from './callback-response.ts';
import { logoutTokenFault, verifyLogoutToken } from './logout-token.ts';
import { groupsOfGraph } from './graph-groups.ts';
import { createOpenIdClient } from './openid-client.ts';
import type { OpenIdClient, OpenIdClientOptions } from './openid-client.ts';
import { type FactsWanted, readOpenIdFacts } from './openid-facts.ts';
import { providerFault } from './provider-fault.ts';
import { refresh, subjectOf } from './openid-refresh.ts';
import { createProviderHealth } from './provider-health.ts';
import { joinPrompt } from './prompt.ts';
import { judgeEmail, readOptionalToken, readSid, readToken } from './provider-values.ts';
import type { Claims } from './provider-values.ts';
import type {
  AuthorizeStart,
  CallbackResponse,
  EndSession,
  LogoutToken,
  Provider,
  Tokens,
} from './provider.ts';

export type OpenIdProviderOptions = Omit<OpenIdClientOptions, 'health' | 'limits'> & {
  readonly ref: ProviderRef;
  readonly usesPkce: boolean;
  readonly scopes: readonly string[];
  /** What asks a person to choose another account. */
  readonly selectPrompt: 'login' | 'select_account';
  /** As the settings have it: null leaves it to what a login needs, and an empty one asks for nothing. */
  readonly prompt: string | null;
  /**
   * Whether the settings ask for access while the person is away, which some providers give only with
   * consent.
   */
  readonly wantsOfflineAccess: boolean;
  /** Further parameters of the authorization request. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The claim that the address is in. */
  readonly emailClaim: string;
  readonly requireVerifiedEmail: boolean;
  /** What else is read of a person. */
  readonly facts: FactsWanted;
  /** What each login must show. */
  readonly strength: LoginStrength;
  /**
   * Whether revoking the refresh token ends the access token too, so that a second call would be an error.
   */
  readonly revokesGrantAtOnce: boolean;
  /** Whether a logout here goes on to the provider's own. */
  readonly rpInitiatedLogout: boolean;
};

export function createOpenIdProvider(options: OpenIdProviderOptions): Provider {
  const health = createProviderHealth(options.now);
  const limits = documentLimits(options.ref.accountId);
  const client = createOpenIdClient({ ...options, health, limits });
  const algorithms = createIdTokenAlgorithm();
  return {
    ...options.ref,
    usesPkce: options.usesPkce,
    verifiesEmail: options.requireVerifiedEmail,
    strength: options.strength,
    isDown: health.isDown,
    mayAskConsent: options.wantsOfflineAccess && options.prompt === null,
    authorizeUrl: async (start) => authorizeUrl(options, await client(), start),
    exchange: async (callback) => algorithms.of(await exchange(options, await client(), callback)),
    identify: async (tokens, signal) => identify(options, await client(signal), { tokens, signal }),
    refresh: async (tokens, signal, keep) => refresh(options, await client(signal), { tokens, signal, keep }),
    revoke: async (tokens, signal) => revoke(options, await client(signal), { tokens, signal }),
    ...(options.rpInitiatedLogout
      ? { endSessionUrl: async (end: EndSession) => endSessionUrl(options, await client(), end) }
      : {}),
    verifyLogoutToken: async (token) => judgeLogoutToken(options, await client(), { token, algorithms }),
  };
}

/**
 * With what the provider signs the id tokens of this client, as its registration there says: the last one
 * shows it.
 */
type IdTokenAlgorithm = {
  /** Learns from tokens that were verified, and gives them back. */
  readonly of: (tokens: Tokens) => Tokens;
  /** Null until one came. */
  readonly known: () => readonly string[] | null;
};

function createIdTokenAlgorithm(): IdTokenAlgorithm {
  let known: readonly string[] | null = null;
  return {
    of: (tokens) => {
      const { alg } = tokens.idToken === null ? {} : decodeProtectedHeader(tokens.idToken.reveal());
      if (alg !== undefined) known = [alg];
      return tokens;
    },
    known: () => known,
  };
}

type Ending = { readonly tokens: Tokens; readonly signal: AbortSignal | undefined };

async function authorizeUrl(
  options: OpenIdProviderOptions,
  client: OpenIdClient,
  start: AuthorizeStart,
): Promise<URL> {
  const { selectAccount, consentOf } = start;
  const prompt = joinPrompt(
    selectAccount ? options.selectPrompt : null,
    options.prompt,
    consentOf === undefined ? null : 'consent',
  );
  const parameters = {
    ...options.parameters,
    client_id: options.clientId,
    response_type: 'code',
    redirect_uri: start.redirectUri,
    scope: options.scopes.join(' '),
    state: start.state,
    nonce: start.nonce,
    ...(prompt === null ? {} : { prompt }),
    ...strengthParameters(start.strength ?? options.strength),
    ...(consentOf === undefined ? {} : { login_hint: consentOf }),
    ...(await challengeOf(options, start.codeVerifier)),
  };
  try {
    return oidc.buildAuthorizationUrl(client.configuration(), parameters);
  } catch (error) {
    throw providerFault(`start a login at ${options.ref.name}`, error);
  }
}

function strengthParameters({ acrValues, maxAgeMs }: LoginStrength): Readonly<Record<string, string>> {
  return {
    ...(acrValues.length === 0 ? {} : { acr_values: acrValues.join(' ') }),
    ...(maxAgeMs === null ? {} : { max_age: String(Math.floor(maxAgeMs / 1000)) }),
  };
}

async function challengeOf(options: OpenIdProviderOptions, codeVerifier: string | null) {
  if (!options.usesPkce) return {};
  const verifier = neededVerifier(options, codeVerifier);
  const code_challenge = await oidc.calculatePKCECodeChallenge(verifier);
  return { code_challenge, code_challenge_method: 'S256' };
}

async function exchange(
  options: OpenIdProviderOptions,
  client: OpenIdClient,
  callback: CallbackResponse,
): Promise<Tokens> {
  const response = readCallback(callback);
  const verifier = options.usesPkce ? neededVerifier(options, callback.codeVerifier) : undefined;
  try {
    const checks = {
      expectedState: callback.state,
      expectedNonce: callback.nonce,
      idTokenExpected: true,
      ...(verifier === undefined ? {} : { pkceCodeVerifier: verifier }),
    };
    const answer = await client.authenticated((configuration) =>
      oidc.authorizationCodeGrant(configuration, responseFor(client, configuration, response), checks),
    );
    return {
      accessToken: readToken(answer.access_token, 'access token'),
      refreshToken: readOptionalToken(answer.refresh_token, 'refresh token'),
      idToken: readToken(answer.id_token, 'id token'),
      idTokenIsNew: true,
      subject: subjectOf(options, answer.claims()),
      sid: readSid(answer.claims()?.['sid']),
    };
  } catch (error) {
    throw providerFault(`exchange the code at ${options.ref.name}`, error);
  }
}

/**
 * Its `iss` was judged before the code was exchanged, and is spelt as the metadata have it, whatever the id
 * token says.
 */
function responseFor({ metadata }: OpenIdClient, configuration: oidc.Configuration, response: URL): URL {
  if (configuration.serverMetadata().issuer === metadata.issuer) return response;
  const url = new URL(response);
  url.searchParams.delete('iss');
  return url;
}

async function identify(
  options: OpenIdProviderOptions,
  client: OpenIdClient,
  { tokens, signal }: Ending,
): Promise<Identity> {
  const { subject } = tokens;
  if (subject === null)
    throw new ServiceError('provider_error', `Cannot identify at ${options.ref.name}: no subject is known`);
  // Its signature held when it came, and since then it lay encrypted in the store.
  const idClaims: Claims = tokens.idToken === null ? {} : decodeJwt(tokens.idToken.reveal());
  const info = await userInfo(options, client, { tokens, signal, subject });
  const documents = info === null ? [idClaims] : [info, idClaims];
  const now = documents.filter((each) => each !== idClaims || tokens.idTokenIsNew === true);
  const elsewhere = () => {
    const { ref, issuer, fetch } = options;
    return groupsOfGraph({ provider: ref.name, issuer, metadata: client.metadata, fetch, tokens, signal });
  };
  const said = { now, idToken: idClaims, at: options.now() };
  return {
    provider: options.ref.name,
    subject,
    ...judgeEmail(documents, options.requireVerifiedEmail, options.emailClaim),
    ...(await readOpenIdFacts(options.facts, said, elsewhere)),
  };
}

/** Null when the provider has no user info. Its `sub` must be the id token's (Core section 5.3.4). */
async function userInfo(
  options: OpenIdProviderOptions,
  { metadata, configuration }: OpenIdClient,
  { tokens, signal, subject }: Ending & { readonly subject: string },
): Promise<Claims | null> {
  if (metadata.userinfo_endpoint === undefined) return null;
  const action = `read who logged in at ${options.ref.name}`;
  try {
    const info = await oidc.fetchUserInfo(
      configuration(signal),
      tokens.accessToken.reveal(),
      oidc.skipSubjectCheck,
    );
    if (info.sub === subject) return info;
  } catch (error) {
    throw providerFault(action, error);
  }
  throw new ServiceError('subject_changed', `Cannot ${action}: the user info is for another subject`);
}

/** RFC 7009: the refresh token, then the access token, each tried whatever became of the other. */
async function revoke(
  options: OpenIdProviderOptions,
  { metadata, authenticated }: OpenIdClient,
  { tokens, signal }: { readonly tokens: Tokens; readonly signal: AbortSignal },
): Promise<void> {
  if (metadata.revocation_endpoint === undefined) return;
  const both = [
    { token: tokens.refreshToken, hint: 'refresh_token' },
    { token: tokens.accessToken, hint: 'access_token' },
  ].filter(({ token }) => token !== null);
  const failures: unknown[] = [];
  for (const { token, hint } of options.revokesGrantAtOnce ? both.slice(0, 1) : both) {
    if (token === null || signal.aborted) continue;
    try {
      await authenticated(
        (configuration) => oidc.tokenRevocation(configuration, token.reveal(), { token_type_hint: hint }),
        signal,
      );
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw providerFault(`revoke tokens at ${options.ref.name}`, failures[0]);
}

function endSessionUrl(
  { ref }: OpenIdProviderOptions,
  { metadata, configuration }: OpenIdClient,
  { idToken, returnTo, state }: EndSession,
): URL | null {
  if (metadata.end_session_endpoint === undefined) return null;
  const hint = idToken?.reveal() ?? '';
  try {
    // The library says which client it is, so a hint that would make the address too long may be left out.
    return oidc.buildEndSessionUrl(configuration(), {
      post_logout_redirect_uri: returnTo,
      state,
      ...(hint === '' || hint.length > MAX_HINT ? {} : { id_token_hint: hint }),
    });
  } catch (error) {
    throw providerFault(`log out at ${ref.name}`, error);
  }
}

async function judgeLogoutToken(
  { ref, clientId, now }: OpenIdProviderOptions,
  { metadata, keySet }: OpenIdClient,
  { token, algorithms }: { readonly token: string; readonly algorithms: IdTokenAlgorithm },
): Promise<LogoutToken> {
  try {
    return await verifyLogoutToken(token, {
      issuer: metadata.issuer,
      clientId,
      algorithms: algorithms.known() ?? metadata.id_token_signing_alg_values_supported,
      keySet,
      now: now(),
    });
  } catch (error) {
    throw logoutTokenFault(`accept the logout token of ${ref.name}`, error);
  }
}

function neededVerifier(options: OpenIdProviderOptions, codeVerifier: string | null): string {
  if (codeVerifier !== null) return codeVerifier;
  throw new ServiceError(
    'internal',
    `Cannot log in at ${options.ref.name}: the attempt has no PKCE verifier`,
  );
}

/** With state and the rest it stays below the 8 KiB that servers commonly take as an address. */
const MAX_HINT = 3_000;
