// GitHub (contract 2.2 `<hosted_b>`) and GitHub Enterprise: OAuth with PKCE, no OpenID. Who somebody is comes
// from the API; logging out deletes the application's token through it (contract 4.2 point 1). OAuth apps
// give no refresh token; GitHub Apps with expiring tokens do.

import { createHash } from 'node:crypto';
import type { Identity } from '../domain/identity.ts';
import { PROVIDER_KINDS } from '../domain/provider-kinds.ts';
import type { ProviderRef } from '../domain/provider-ref.ts';
import { neededSecret, providerRef } from '../domain/provider-settings.ts';
import type { ProviderSettings, UnkeyedSettings } from '../domain/provider-settings.ts';
import { constantTimeEqual, type Secret } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import { NO_FACTS, type SessionFacts } from '../domain/session-facts.ts';
import { readCallback } from './callback-response.ts';
import type { OutboundFetch } from './dialler.ts';
import {
  readApiAnswer,
  readPrimaryEmail,
  readTokenAnswer,
  readUserId,
  readUserName,
  statusFault,
} from './github-answer.ts';
import { withGroups } from './groups-or-fault.ts';
import { readGitHubGroups } from './github-groups.ts';
import { joinPrompt } from './prompt.ts';
import { createProviderHealth } from './provider-health.ts';
import { judgeEmail } from './provider-values.ts';
import type { ProviderDeps } from './provider-deps.ts';
import type { AuthorizeStart, CallbackResponse, Provider, Tokens } from './provider.ts';

export function createGitHub(settings: ProviderSettings, deps: ProviderDeps): Provider {
  const health = createProviderHealth(deps.now);
  const fetch = health.watched(deps.fetch);
  const secret = neededSecret(settings);
  const site: GitHub = { settings, secret, fetch, unwatched: deps.fetch, ...addressesOf(settings) };
  return {
    ...gitHubRef(settings),
    usesPkce: true,
    verifiesEmail: true,
    isDown: health.isDown,
    authorizeUrl: async (start) => authorizeUrl(site, start),
    exchange: (callback) => exchange(site, callback),
    identify: (tokens, signal) => identify(site, tokens, signal),
    refresh: (tokens, signal) => refresh(site, tokens, signal),
    revoke: (tokens, signal) => deleteToken(site, tokens, signal),
    revokesTheseAlone: true,
  };
}

/** Where people log in is as much the source of who they are as the API is. */
export function gitHubRef(settings: UnkeyedSettings): ProviderRef {
  const { baseUrl, apiUrl } = addressesOf(settings);
  return providerRef(settings, `${baseUrl} ${apiUrl}`);
}

export function addressesOf(settings: UnkeyedSettings): Pick<GitHub, 'baseUrl' | 'apiUrl'> {
  const baseUrl = withoutSlash(settings.baseUrl ?? FIELDS.baseUrl.absent);
  return { baseUrl, apiUrl: withoutSlash(settings.apiUrl ?? FIELDS.apiUrl.absent({ baseUrl })) };
}

/** Without any, in the order in which GitHub names those that it grants. */
export function askedScopes({ scopes, groups }: UnkeyedSettings): readonly string[] {
  const asked = scopes.length === 0 ? FIELDS.scopes.absent.toSorted() : scopes;
  return groups !== true || asked.some((scope) => TELLS_ORGANIZATIONS.has(scope))
    ? asked
    : [...asked, 'read:org'];
}

type Signal = AbortSignal | undefined;

type GitHub = {
  readonly settings: ProviderSettings;
  readonly secret: Secret;
  readonly fetch: OutboundFetch;
  /**
   * For what no login needs, or is asked with one person's token: whether it works says nothing of others'
   * logins.
   */
  readonly unwatched: OutboundFetch;
  readonly baseUrl: string;
  readonly apiUrl: string;
};

function authorizeUrl({ settings, baseUrl }: GitHub, start: AuthorizeStart): URL {
  const prompt = joinPrompt(start.selectAccount ? 'select_account' : null, settings.prompt);
  const url = new URL(`${baseUrl}/login/oauth/authorize`);
  url.search = new URLSearchParams({
    ...settings.loginParameters,
    client_id: settings.clientId,
    redirect_uri: start.redirectUri,
    scope: askedScopes(settings).join(' '),
    state: start.state,
    code_challenge: createHash('sha256').update(verifierOf(start)).digest('base64url'),
    code_challenge_method: 'S256',
    ...(prompt === null ? {} : { prompt }),
  }).toString();
  return url;
}

async function exchange(site: GitHub, callback: CallbackResponse): Promise<Tokens> {
  const action = `exchange the code at ${site.settings.name}`;
  const code = codeOf(site, callback, action);
  const answer = await tokenRequest(site, action, {
    parameters: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback.redirectUri,
      code_verifier: verifierOf(callback),
    },
  });
  if ('error' in answer) throw refusal(action, answer.error);
  return answer.tokens;
}

/**
 * The code of the response, once state and issuer are right. GitHub may say `iss`, and then it must be its
 * own.
 */
function codeOf({ baseUrl }: GitHub, callback: CallbackResponse, action: string): string {
  const response = readCallback(callback).searchParams;
  if (!constantTimeEqual(response.get('state') ?? '', callback.state))
    throw new ServiceError('provider_error', `Cannot ${action}: the state does not match`);
  const issuer = response.get('iss');
  if (issuer !== null && issuer !== `${baseUrl}/login/oauth`)
    throw new ServiceError('provider_error', `Cannot ${action}: the response is from another issuer`);
  const error = response.get('error');
  if (error === 'access_denied')
    throw new ServiceError('access_denied', `Cannot ${action}: the provider returned access_denied`);
  if (error === 'unverified_user_email')
    throw new ServiceError('account_unverified', `Cannot ${action}: the provider returned ${error}`);
  if (error !== null) throw refusal(action, error.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 100));
  const code = response.get('code') ?? '';
  if (code === '') throw new ServiceError('provider_error', `Cannot ${action}: there is no code`);
  return code;
}

async function identify(site: GitHub, tokens: Tokens, signal?: AbortSignal): Promise<Identity> {
  const api = (path: string) => askApi(site, path, { tokens, signal });
  const action = `read who logged in at ${site.settings.name}`;
  const user = await readApiAnswer(action, await api('/user'));
  const subject = readUserId(user);
  const emails: unknown[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const found = await readApiAnswer(action, await api(`/user/emails?per_page=${PER_PAGE}&page=${page}`));
    const all: readonly unknown[] = Array.isArray(found) ? found : [];
    emails.push(...all);
    if (all.length < PER_PAGE) break;
  }
  const who = { provider: site.settings.name, subject, ...judgeEmail([readPrimaryEmail(emails)], true) };
  const facts: SessionFacts = { ...NO_FACTS, name: readUserName(user) };
  if (site.settings.groups !== true) return { ...who, facts };
  return { ...who, ...(await withGroups(facts, () => readGitHubGroups(action, api))) };
}

async function refresh(site: GitHub, tokens: Tokens, signal?: AbortSignal): Promise<Tokens | null> {
  if (tokens.refreshToken === null) return null;
  const action = `refresh at ${site.settings.name}`;
  const parameters = { grant_type: 'refresh_token', refresh_token: tokens.refreshToken.reveal() };
  const answer = await tokenRequest(site, action, { parameters, signal });
  if ('tokens' in answer)
    return { ...answer.tokens, refreshToken: answer.tokens.refreshToken ?? tokens.refreshToken };
  if (CLIENT_REFUSED.has(answer.error)) throw refusal(action, answer.error);
  return null;
}

/** `DELETE /applications/{client_id}/token`. A token that is no more (404, 422) is as good as deleted. */
async function deleteToken(site: GitHub, tokens: Tokens, signal: AbortSignal): Promise<void> {
  const { clientId, name } = site.settings;
  const credentials = Buffer.from(`${clientId}:${site.secret.reveal()}`).toString('base64');
  const response = await site.unwatched(`${site.apiUrl}/applications/${encodeURIComponent(clientId)}/token`, {
    method: 'DELETE',
    headers: { ...API_HEADERS, authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
    body: JSON.stringify({ access_token: tokens.accessToken.reveal() }),
    signal,
  });
  if (!DELETED.has(response.status)) throw statusFault(`delete the token at ${name}`, response);
}

async function tokenRequest(
  site: GitHub,
  action: string,
  { parameters, signal }: { readonly parameters: Readonly<Record<string, string>>; readonly signal?: Signal },
) {
  const { clientId } = site.settings;
  const response = await site.fetch(`${site.baseUrl}/login/oauth/access_token`, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': API_HEADERS['user-agent'],
    },
    body: new URLSearchParams({ client_id: clientId, client_secret: site.secret.reveal(), ...parameters }),
    signal,
  });
  return readTokenAnswer(action, response);
}

function askApi(
  site: GitHub,
  path: string,
  { tokens, signal }: { readonly tokens: Tokens; readonly signal: Signal },
): Promise<Response> {
  const headers = { ...API_HEADERS, authorization: `Bearer ${tokens.accessToken.reveal()}` };
  return site.unwatched(`${site.apiUrl}${path}`, { method: 'GET', headers, signal });
}

function refusal(action: string, error: string): ServiceError {
  return new ServiceError('provider_error', `Cannot ${action}: the provider returned ${error}`);
}

function verifierOf({ codeVerifier }: { readonly codeVerifier: string | null }): string {
  if (codeVerifier !== null) return codeVerifier;
  throw new ServiceError('internal', 'Cannot log in at GitHub: the attempt has no PKCE verifier');
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

const FIELDS = PROVIDER_KINDS.github.fields;
/** The API refuses requests without a User-Agent, and changes its answers with the version. */
const API_HEADERS = {
  accept: 'application/vnd.github+json',
  'x-github-api-version': '2022-11-28',
  'user-agent': 'doorward',
} as const;
/** GitHub's own word, and the standard's. Any other error at a refresh says that the token is of no use. */
const CLIENT_REFUSED: ReadonlySet<string> = new Set(['incorrect_client_credentials', 'invalid_client']);
/** What the API gives at most at once. */
const PER_PAGE = 100;
/** Nobody has more addresses, and each page is a call. */
const MAX_PAGES = 10;
/** Each includes what `read:org` allows. */
const TELLS_ORGANIZATIONS: ReadonlySet<string> = new Set(['read:org', 'write:org', 'admin:org']);
const DELETED: ReadonlySet<number> = new Set([204, 404, 422]);
