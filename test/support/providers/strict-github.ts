// GitHub as a stand-in, strict where `emulate` is not: PKCE S256, exact redirect URI, client secret,
// single-use codes, errors with status 200, a User-Agent needed, and deletion of tokens, which is recorded.
// Site and API on one port.

import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { escapeHtml } from './escape-html.ts';
import { readBody, sendJson, startLoopbackServer } from './loopback-server.ts';
import type { StandInClient } from './openid-stand-in.ts';

export type GitHubEmail = { readonly email: string; readonly primary: boolean; readonly verified: boolean };

export type GitHubUser = {
  id: unknown;
  login: string;
  emails: readonly GitHubEmail[];
  /** `state`: `active`, or `pending` while an invitation is not accepted. */
  organizations?: readonly { readonly login: unknown; readonly state: string }[];
  teams?: readonly { readonly organization: string; readonly slug: unknown }[];
};

export type StrictGitHub = {
  readonly baseUrl: string;
  readonly apiUrl: string;
  /** The user whom this email logs in; made on first use with that one address, primary and verified. */
  readonly user: (email: string) => GitHubUser;
  /** Tokens that were deleted, in order. */
  readonly deleted: readonly string[];
  readonly authorizations: readonly URLSearchParams[];
  readonly violations: readonly string[];
  readonly counts: { refreshes: number };
  readonly faults: GitHubFaults;
  readonly close: () => Promise<void>;
};

/** `login`: the error with which every login ends; empty for none. */
type GitHubFaults = { api: 'none' | 'server_error' | 'forbidden' | 'rate_limited'; login: string };

/** `expiringTokens`: as a GitHub App whose user tokens expire, with rotating refresh tokens. */
export async function startStrictGitHub(options: {
  readonly clients: readonly StandInClient[];
  readonly expiringTokens?: boolean;
}): Promise<StrictGitHub> {
  const server = await startLoopbackServer();
  const users = new Map<string, GitHubUser>();
  const state: State = {
    clients: options.clients,
    expiring: options.expiringTokens === true,
    codes: new Map(),
    tokens: new Map(),
    scopes: new Map(),
    refreshTokens: new Map(),
    user(email) {
      const id = 1000 + users.size;
      const user = users.get(email) ?? {
        id,
        login: `user-${id}`,
        emails: [{ email, primary: true, verified: true }],
      };
      users.set(email, user);
      return user;
    },
    deleted: [],
    authorizations: [],
    violations: [],
    counts: { refreshes: 0 },
    faults: { api: 'none', login: '' },
  };
  server.handle((request, response) => {
    answer(state, request, response).catch((error: unknown) => {
      state.violations.push(String(error));
      response.destroy();
    });
  });
  const { user, deleted, authorizations, violations, counts, faults } = state;
  const apiUrl = `${server.origin}/api/v3`;
  return {
    baseUrl: server.origin,
    apiUrl,
    user,
    deleted,
    authorizations,
    violations,
    counts,
    faults,
    close: server.close,
  };
}

type Code = {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly email: string;
  readonly scope: string;
};
type State = {
  readonly clients: readonly StandInClient[];
  readonly expiring: boolean;
  readonly codes: Map<string, Code>;
  readonly tokens: Map<string, string>;
  /** By access token, of OAuth Apps. */
  readonly scopes: Map<string, readonly string[]>;
  readonly refreshTokens: Map<string, string>;
  readonly user: (email: string) => GitHubUser;
  readonly deleted: string[];
  readonly authorizations: URLSearchParams[];
  readonly violations: string[];
  readonly counts: { refreshes: number };
  readonly faults: GitHubFaults;
};

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://github');
  const route = `${request.method} ${url.pathname}`;
  if (route === 'GET /login/oauth/authorize') authorize(state, url.searchParams, response);
  else if (route === 'POST /login/oauth/authorize')
    await logIn(state, url.searchParams, { request, response });
  else if (route === 'POST /login/oauth/access_token') await sendTokens(state, request, response);
  else if (url.pathname.startsWith('/api/v3/')) await api(state, request, response);
  else sendJson(response, 404, { message: 'Not Found' });
}

function authorize(state: State, query: URLSearchParams, response: ServerResponse): void {
  state.authorizations.push(query);
  const client = state.clients.find((each) => each.clientId === query.get('client_id'));
  const challenged =
    query.get('code_challenge_method') === 'S256' && query.get('code_challenge')?.length === 43;
  const fault =
    client?.redirectUris.includes(query.get('redirect_uri') ?? '') !== true
      ? 'client or redirect_uri unknown'
      : !challenged
        ? 'PKCE S256 is missing'
        : (query.get('state') ?? '').length < 16
          ? 'state is missing or short'
          : null;
  if (fault !== null) {
    state.violations.push(`authorize: ${fault}`);
    response.writeHead(400, { 'content-type': 'text/plain' }).end(fault);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><title>Stand-in</title><form method="post" action="?${escapeHtml(query.toString())}">
<input name="email" value=""><button id="login">Log in</button></form>`);
}

async function logIn(
  state: State,
  query: URLSearchParams,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  const fields = new URLSearchParams(await readBody(request));
  const redirect = new URL(query.get('redirect_uri') ?? '');
  redirect.searchParams.set('state', query.get('state') ?? '');
  if (fields.get('deny') === 'yes') redirect.searchParams.set('error', 'access_denied');
  else if (state.faults.login !== '') redirect.searchParams.set('error', state.faults.login);
  else {
    const code = randomBytes(10).toString('hex');
    state.codes.set(code, {
      clientId: query.get('client_id') ?? '',
      redirectUri: query.get('redirect_uri') ?? '',
      challenge: query.get('code_challenge') ?? '',
      email: fields.get('email') ?? '',
      scope: query.get('scope') ?? '',
    });
    redirect.searchParams.set('code', code);
  }
  response.writeHead(302, { location: redirect.href }).end();
}

async function sendTokens(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const fields = new URLSearchParams(await readBody(request));
  if (request.headers.accept !== 'application/json') {
    state.violations.push('token: Accept is not application/json');
    response.writeHead(200, { 'content-type': 'application/x-www-form-urlencoded' }).end('error=not_json');
    return;
  }
  const email = judgeTokenRequest(state, fields);
  if ('error' in email) {
    state.violations.push(`token: ${email.error}`);
    return sendJson(response, 200, { ...email, error_description: 'The stand-in refuses it.' });
  }
  const accessToken = `gho_${randomBytes(18).toString('hex')}`;
  const refreshToken = `ghr_${randomBytes(18).toString('hex')}`;
  state.tokens.set(accessToken, email.email);
  if (!state.expiring) state.scopes.set(accessToken, email.scope.split(' '));
  if (state.expiring) state.refreshTokens.set(refreshToken, email.email);
  const expiry = { expires_in: 28_800, refresh_token: refreshToken, refresh_token_expires_in: 15_811_200 };
  sendJson(response, 200, {
    access_token: accessToken,
    token_type: 'bearer',
    scope: 'read:user,user:email',
    ...(state.expiring ? expiry : {}),
  });
}

function judgeTokenRequest(
  state: State,
  fields: URLSearchParams,
): { readonly email: string; readonly scope: string } | { readonly error: string } {
  const client = state.clients.find((each) => each.clientId === fields.get('client_id'));
  if (client?.clientSecret !== fields.get('client_secret')) return { error: 'incorrect_client_credentials' };
  if (fields.get('grant_type') === 'refresh_token') {
    const token = fields.get('refresh_token') ?? '';
    const email = state.refreshTokens.get(token);
    state.refreshTokens.delete(token);
    if (email === undefined) return { error: 'bad_refresh_token' };
    state.counts.refreshes++;
    return { email, scope: '' };
  }
  const code = state.codes.get(fields.get('code') ?? '');
  state.codes.delete(fields.get('code') ?? '');
  const challenge = createHash('sha256')
    .update(fields.get('code_verifier') ?? '')
    .digest('base64url');
  if (code === undefined || code.clientId !== client?.clientId) return { error: 'bad_verification_code' };
  if (code.redirectUri !== fields.get('redirect_uri')) return { error: 'redirect_uri_mismatch' };
  return code.challenge === challenge
    ? { email: code.email, scope: code.scope }
    : { error: 'bad_verification_code' };
}

async function api(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').replace(/^\/api\/v3/, '').replace(/\?.*$/, '');
  if (request.headers['user-agent'] === undefined) {
    state.violations.push('api: no User-Agent');
    return sendJson(response, 403, { message: 'Request forbidden by administrative rules.' });
  }
  if (state.faults.api === 'server_error') return sendJson(response, 502, { message: 'Server Error' });
  if (state.faults.api === 'rate_limited') {
    response.setHeader('x-ratelimit-remaining', '0');
    response.setHeader('x-ratelimit-reset', String(Math.floor(Date.now() / 1000) + 600));
    return sendJson(response, 403, { message: 'API rate limit exceeded' });
  }
  if (state.faults.api === 'forbidden')
    return sendJson(response, 403, { message: 'Resource not accessible' });
  if (request.method === 'DELETE') return deleteToken(state, path, { request, response });
  const email = state.tokens.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
  if (email === undefined) return sendJson(response, 401, { message: 'Bad credentials' });
  const { id, login, emails } = state.user(email);
  if (path === '/user') return sendJson(response, 200, { id, login, email: null, name: login });
  if (path === '/user/emails') {
    const page = Number(new URL(request.url ?? '/', 'http://github').searchParams.get('page') ?? 1);
    return sendJson(response, 200, emails.slice((page - 1) * 100, page * 100));
  }
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (LISTS.has(path)) return sendList(state, { path, token, user: state.user(email) }, request, response);
  sendJson(response, 404, { message: 'Not Found' });
}

/** Memberships and teams: with `read:org` alone, in pages that a Link header leads through. */
function sendList(
  state: State,
  { path, token, user }: { readonly path: string; readonly token: string; readonly user: GitHubUser },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (!state.expiring && state.scopes.get(token)?.includes('read:org') !== true)
    return sendJson(response, 403, {
      message: 'You need at least read:org scope to list your organizations.',
    });
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const { organizations = [], teams = [] } = user;
  const all =
    path === '/user/teams'
      ? teams.map(({ organization, slug }) => ({ slug, name: slug, organization: { login: organization } }))
      : organizations.map(({ login, state: is }) => ({ state: is, role: 'member', organization: { login } }));
  // What is asked for is not believed: a pending one may come all the same, from older servers.
  const perPage = Math.min(Number(url.searchParams.get('per_page') ?? 30), 100);
  const page = Number(url.searchParams.get('page') ?? 1);
  const last = Math.max(1, Math.ceil(all.length / perPage));
  const link = (to: number, rel: string) => {
    url.searchParams.set('page', String(to));
    return `<${url.href}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev'), link(1, 'first')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
  ];
  if (links.length > 0) response.setHeader('link', links.join(', '));
  sendJson(response, 200, all.slice((page - 1) * perPage, page * perPage));
}

async function deleteToken(
  state: State,
  path: string,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  const id = /^\/applications\/([^/]+)\/token$/.exec(path)?.[1];
  const client = state.clients.find((each) => each.clientId === decodeURIComponent(id ?? ''));
  const credentials = `Basic ${Buffer.from(`${client?.clientId}:${client?.clientSecret}`).toString('base64')}`;
  if (client === undefined || request.headers.authorization !== credentials)
    return sendJson(response, 401, { message: 'Bad credentials' });
  const { access_token: token } = JSON.parse(await readBody(request)) as { access_token: string };
  if (!state.tokens.delete(token)) return sendJson(response, 422, { message: 'Validation Failed' });
  state.deleted.push(token);
  response.writeHead(204).end();
}

const LISTS: ReadonlySet<string> = new Set(['/user/memberships/orgs', '/user/teams']);
