// A hand-made OpenID provider on loopback, strict where the real ones are: registered client and secret,
// exact redirect URI, PKCE S256, codes used once. Hooks let other stand-ins bend what it says. Any email logs
// in.

import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import type { JWK, JWTPayload } from 'jose';
import { escapeHtml } from './escape-html.ts';
import { readBody, sendJson, startLoopbackServer } from './loopback-server.ts';
import type { LoopbackOptions } from './loopback-server.ts';
import { authenticate, takeCode } from './token-request.ts';

export type StandInClient = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
  /** The one way in which it may authenticate; either unless said. */
  readonly authenticatesBy?: 'client_secret_basic' | 'client_secret_post';
  /** Basic credentials are compared as they come, against RFC 6749 section 2.3.1. */
  readonly takesBasicUndecoded?: boolean;
};

export type Grant = {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string | null;
  readonly nonce: string | null;
  readonly email: string;
  readonly request: URLSearchParams;
};

export type OpenIdHooks = {
  /** Answers a request itself, and says true. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse, path: string) => boolean;
  readonly metadata?: (document: Record<string, unknown>) => Record<string, unknown>;
  readonly authorizationResponse?: (parameters: URLSearchParams) => void;
  readonly claims?: (claims: JWTPayload) => JWTPayload;
  readonly idToken?: (claims: JWTPayload, keys: StandInKeys) => Promise<string>;
  readonly tokenAnswer?: (body: Record<string, unknown>, grant: Grant) => Record<string, unknown>;
  readonly userInfo?: (claims: Record<string, unknown>) => Record<string, unknown>;
  /** Why an authorization request is refused, as an OAuth error; null when it is fine. */
  readonly judgeAuthorization?: (request: URLSearchParams) => string | null;
  /** Whether this login gets a refresh token; yes unless said. */
  readonly givesRefreshToken?: (grant: Grant) => boolean;
  /** Why a refresh is refused although the token is known; null when it is fine. */
  readonly judgeRefresh?: (token: string, grant: Grant) => { status: number; error: string } | null;
  readonly revokeUnknown?: (response: ServerResponse) => void;
};

export type StandInKeys = { readonly privateKey: CryptoKey; readonly publicJwk: JWK; readonly kid: string };

export type OpenIdStandIn = {
  readonly issuer: string;
  /** What it signs with, for tokens that it sends by itself. */
  readonly keys: StandInKeys;
  /** From now on it signs with another key, and publishes that one alone. */
  readonly changeKey: () => Promise<void>;
  readonly counts: {
    jwks: number;
    tokens: number;
    refreshes: number;
    userInfos: number;
    discoveries: number;
  };
  /** Tokens that were revoked, in order. */
  readonly revoked: readonly string[];
  /** Query parameters of each authorization request, in order. */
  readonly authorizations: readonly URLSearchParams[];
  /** Requests that broke a rule, as `<rule>` or `<endpoint>: <rule>`. */
  readonly violations: readonly string[];
  readonly close: () => Promise<void>;
};

export async function startOpenIdStandIn(
  options: LoopbackOptions & { readonly clients: readonly StandInClient[]; readonly usesPkce?: boolean },
  hooks: OpenIdHooks = {},
): Promise<OpenIdStandIn> {
  const server = await startLoopbackServer(options);
  let keysMade = 0;
  const newKeys = async (): Promise<StandInKeys> => {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    return { privateKey, publicJwk: await exportJWK(publicKey), kid: `stand-in-${++keysMade}` };
  };
  const state = {
    issuer: server.origin,
    options,
    hooks,
    keys: await newKeys(),
    codes: new Map<string, Grant>(),
    tokens: new Map<string, Grant>(),
    counts: { jwks: 0, tokens: 0, refreshes: 0, userInfos: 0, discoveries: 0 },
    revoked: [] as string[],
    authorizations: [] as URLSearchParams[],
    violations: [] as string[],
  };
  server.handle((request, response) => {
    answer(state, request, response).catch((error: unknown) => {
      state.violations.push(error instanceof Error ? error.message : String(error));
      if (!response.headersSent) sendJson(response, 400, { error: 'invalid_request' });
    });
  });
  const { issuer, counts, revoked, authorizations, violations } = state;
  return {
    issuer,
    get keys() {
      return state.keys;
    },
    changeKey: async () => {
      state.keys = await newKeys();
    },
    counts,
    revoked,
    authorizations,
    violations,
    close: server.close,
  };
}

type State = {
  readonly issuer: string;
  readonly options: { readonly clients: readonly StandInClient[]; readonly usesPkce?: boolean };
  readonly hooks: OpenIdHooks;
  keys: StandInKeys;
  readonly codes: Map<string, Grant>;
  readonly tokens: Map<string, Grant>;
  readonly counts: OpenIdStandIn['counts'];
  readonly revoked: string[];
  readonly authorizations: URLSearchParams[];
  readonly violations: string[];
};

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', state.issuer);
  if (state.hooks.intercept?.(request, response, url.pathname) === true) return;
  const route = `${request.method} ${url.pathname}`;
  if (route === 'GET /.well-known/openid-configuration') sendMetadata(state, response);
  else if (route === 'GET /jwks') {
    state.counts.jwks++;
    const { publicJwk, kid } = state.keys;
    sendJson(response, 200, { keys: [{ ...publicJwk, kid, alg: 'RS256', use: 'sig' }] });
  } else if (route === 'GET /authorize') authorize(state, url.searchParams, response);
  else if (route === 'POST /authorize') await logIn(state, url.searchParams, { request, response });
  else if (route === 'POST /token') await sendTokens(state, request, response);
  else if (url.pathname === '/userinfo') sendUserInfo(state, request, response);
  else if (route === 'POST /revoke') await revoke(state, request, response);
  else sendJson(response, 404, { error: 'not_found' });
}

function sendMetadata(state: State, response: ServerResponse): void {
  state.counts.discoveries++;
  const { issuer } = state;
  const document = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    revocation_endpoint: `${issuer}/revoke`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'PS256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
  };
  sendJson(response, 200, state.hooks.metadata?.(document) ?? document);
}

function authorize(state: State, query: URLSearchParams, response: ServerResponse): void {
  state.authorizations.push(query);
  const fault = judgeAuthorization(state, query);
  if (fault !== null) {
    state.violations.push(`authorize: ${fault}`);
    response.writeHead(400, { 'content-type': 'text/plain' }).end(fault);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><title>Stand-in</title><form method="post" action="/authorize?${escapeHtml(query.toString())}">
<input name="email" value=""><button id="login">Log in</button></form>`);
}

function judgeAuthorization(state: State, query: URLSearchParams): string | null {
  const client = state.options.clients.find((each) => each.clientId === query.get('client_id'));
  if (client === undefined) return 'unknown client_id';
  if (!client.redirectUris.includes(query.get('redirect_uri') ?? '')) return 'unknown redirect_uri';
  if (query.get('response_type') !== 'code') return 'response_type is not code';
  if ((query.get('state') ?? '').length < 16) return 'state is missing or short';
  if ((query.get('nonce') ?? '').length < 16) return 'nonce is missing or short';
  if (!(query.get('scope') ?? '').split(' ').includes('openid')) return 'scope openid is missing';
  const challenged =
    query.get('code_challenge_method') === 'S256' && query.get('code_challenge')?.length === 43;
  if (state.options.usesPkce !== false && !challenged) return 'PKCE S256 is missing';
  return state.hooks.judgeAuthorization?.(query) ?? null;
}

async function logIn(
  state: State,
  query: URLSearchParams,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  const fields = new URLSearchParams(await readBody(request));
  const redirect = new URL(query.get('redirect_uri') ?? '');
  const parameters = new URLSearchParams({ state: query.get('state') ?? '' });
  if (fields.get('deny') === 'yes') parameters.set('error', 'access_denied');
  else {
    const code = randomBytes(16).toString('hex');
    state.codes.set(code, {
      clientId: query.get('client_id') ?? '',
      redirectUri: redirect.href,
      challenge: query.get('code_challenge'),
      nonce: query.get('nonce'),
      email: fields.get('email') ?? '',
      request: query,
    });
    parameters.set('code', code);
  }
  state.hooks.authorizationResponse?.(parameters);
  redirect.search = parameters.toString();
  response.writeHead(302, { location: redirect.href }).end();
}

async function sendTokens(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  state.counts.tokens++;
  const fields = new URLSearchParams(await readBody(request));
  const client = authenticate(state.options.clients, request, fields);
  if (client === null) return refuse(state, response, 'invalid_client');
  const refreshing = fields.get('grant_type') === 'refresh_token';
  const grant = refreshing
    ? state.tokens.get(fields.get('refresh_token') ?? '')
    : takeCode(state.codes, fields);
  if (grant === undefined || grant.clientId !== client.clientId)
    return refuse(state, response, 'invalid_grant');
  const refused = refreshing
    ? (state.hooks.judgeRefresh?.(fields.get('refresh_token') ?? '', grant) ?? null)
    : null;
  if (refused !== null) return sendJson(response, refused.status, { error: refused.error });
  if (refreshing) state.counts.refreshes++;
  const accessToken = `at-${randomBytes(16).toString('hex')}`;
  const refreshToken = `rt-${randomBytes(16).toString('hex')}`;
  const gives = !refreshing && (state.hooks.givesRefreshToken?.(grant) ?? true);
  state.tokens.set(accessToken, grant);
  if (gives) state.tokens.set(refreshToken, grant);
  const body = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: 3600,
    scope: grant.request.get('scope') ?? '',
    id_token: await idToken(state, refreshing ? { ...grant, nonce: null } : grant),
    ...(gives ? { refresh_token: refreshToken } : {}),
  };
  if (response.destroyed) return;
  sendJson(response, 200, state.hooks.tokenAnswer?.(body, grant) ?? body);
}

function refuse(state: State, response: ServerResponse, error: string): void {
  state.violations.push(`token: ${error}`);
  sendJson(response, error === 'invalid_client' ? 401 : 400, { error });
}

async function idToken({ issuer, keys, hooks }: State, grant: Grant): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const plain: JWTPayload = {
    iss: issuer,
    aud: grant.clientId,
    sub: subjectOf(grant.email),
    iat: now,
    exp: now + 300,
    ...(grant.nonce === null ? {} : { nonce: grant.nonce }),
    email: grant.email,
    email_verified: true,
  };
  const claims = hooks.claims?.(plain) ?? plain;
  return hooks.idToken?.(claims, keys) ?? signIdToken(claims, keys);
}

export function signIdToken(
  claims: JWTPayload,
  keys: StandInKeys,
  header: Record<string, unknown> = {},
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: keys.kid, ...header })
    .sign(keys.privateKey);
}

export function subjectOf(email: string): string {
  return BigInt(`0x${createHash('sha256').update(email).digest('hex').slice(0, 16)}`).toString();
}

function sendUserInfo(state: State, request: IncomingMessage, response: ServerResponse): void {
  state.counts.userInfos++;
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const grant = state.tokens.get(token);
  if (grant === undefined) return sendJson(response, 401, { error: 'invalid_token' });
  const claims = { sub: subjectOf(grant.email), email: grant.email, email_verified: true };
  sendJson(response, 200, state.hooks.userInfo?.(claims) ?? claims);
}

async function revoke(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const token = new URLSearchParams(await readBody(request)).get('token') ?? '';
  const grant = state.tokens.get(token);
  if (grant === undefined && state.hooks.revokeUnknown !== undefined)
    return state.hooks.revokeUnknown(response);
  state.revoked.push(token);
  for (const [key, kept] of state.tokens) if (kept === grant) state.tokens.delete(key);
  response.writeHead(200).end();
}
