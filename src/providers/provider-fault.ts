// What went wrong at a provider, as one of few faults: unreachable when trying again may help, denied when
// the person or the provider said no, an error for everything else. Bodies and tokens never get into the
// message or the cause.

import * as oidc from 'openid-client';
import { ServiceError } from '../domain/service-error.ts';
import { retryAfterExtra } from './retry-after.ts';

/**
 * `action` completes "Cannot …": `exchange the code at corp`. A fault that is already one comes back as it
 * is. Of one that is worth trying again, `extra.retryAfterSeconds` says when, if the provider did.
 */
export function providerFault(action: string, error: unknown, now = Date.now()): ServiceError {
  const chain = causes(error);
  const known = chain.find((each) => each instanceof ServiceError);
  if (known !== undefined) return known;
  const code = oauthErrorOf(error);
  if (error instanceof oidc.AuthorizationResponseError && code === 'access_denied')
    return new ServiceError('access_denied', `Cannot ${action}: the provider returned access_denied`);
  const status = chain.map(statusOf).find((each) => each !== null) ?? null;
  const away = (status !== null && isWorthTryingAgain(status)) || chain.some(isTimeout);
  const found = code === null ? describe(chain, status) : `the provider returned ${code}`;
  const hint = code === null ? undefined : HINTS[code];
  const said = status === null ? 'provider_error' : faultOfStatus(status);
  const fault = said === 'provider_error' && away ? 'provider_unreachable' : said;
  const response = chain.map(responseOf).find((each) => each !== null) ?? null;
  const extra = away && response !== null ? retryAfterExtra(response.headers, now) : {};
  return new ServiceError(
    fault,
    `Cannot ${action}: ${found}`,
    hint === undefined ? { extra } : { extra, hint },
  );
}

/** What an answer with this status means, where it says nothing else. */
export function faultOfStatus(
  status: number,
): 'provider_rate_limited' | 'provider_unreachable' | 'provider_error' {
  if (status === 429) return 'provider_rate_limited';
  return isWorthTryingAgain(status) ? 'provider_unreachable' : 'provider_error';
}

/** An answer with this status may be another one soon: 5xx and 429 (RFC 6585 section 4). */
function isWorthTryingAgain(status: number): boolean {
  return status >= 500 || status === 429;
}

/**
 * The provider refuses the refresh token itself: any OAuth error of a 4xx or, against RFC 6749 section 5.2,
 * of a 200. Which one differs: providers that keep one refresh token a person say `invalid_request` of the
 * others. Not so when it refuses the client, or says that it may answer otherwise soon.
 */
export function isRefreshRefused(error: unknown): boolean {
  const code = oauthErrorOf(error);
  if (code === null || NOT_OF_THE_TOKEN.has(code)) return false;
  const status = causes(error)
    .map(statusOf)
    .find((each) => each !== null);
  return status === undefined || status === null || !isWorthTryingAgain(status);
}

/** The library found a claim of an id token to be another than it must be: its issuer or audience. */
export function isOtherClaim(error: unknown): boolean {
  return causes(error).some((each) => isRecord(each) && each['code'] === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED');
}

/**
 * The client's credentials, or the way they were sent, were refused: RFC 6749 section 5.2 has 401 and
 * `invalid_client`, and providers have 403 and other words, too. What is said of the code or token is not
 * about the client.
 */
export function isClientRefused(error: unknown): boolean {
  const code = oauthErrorOf(error);
  if (code === 'invalid_grant') return false;
  if (code === 'invalid_client' || code === 'unauthorized_client') return true;
  return causes(error).some((each) => CLIENT_STATUSES.has(statusOf(each) ?? 0));
}

/**
 * The `error` of an OAuth error answer, if it is one. openid-client hides an error that came with status 200
 * in `cause.cause.body`, since it only saw that the access token is missing.
 */
function oauthErrorOf(error: unknown): string | null {
  for (const each of causes(error)) {
    if (each instanceof oidc.ResponseBodyError || each instanceof oidc.AuthorizationResponseError)
      return printable(each.error);
    const body = isRecord(each) ? each['body'] : null;
    if (isRecord(body) && typeof body['error'] === 'string') return printable(body['error']);
  }
  return null;
}

/** An error, its cause, and so on. Causes need not be errors: the libraries put answers and bodies there. */
function causes(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  let each = error;
  while (each !== undefined && each !== null && chain.length < MAX_CAUSES) {
    chain.push(each);
    each = isRecord(each) ? each['cause'] : undefined;
  }
  return chain;
}

function statusOf(each: unknown): number | null {
  if (each instanceof Response) return each.status;
  if (each instanceof oidc.ResponseBodyError || each instanceof oidc.WWWAuthenticateChallengeError)
    return each.status;
  return null;
}

function responseOf(each: unknown): Response | null {
  if (each instanceof Response) return each;
  return isRecord(each) && each['response'] instanceof Response ? each['response'] : null;
}

function isTimeout(each: unknown): boolean {
  return each instanceof DOMException && (each.name === 'TimeoutError' || each.name === 'AbortError');
}

/** The library's own words, which name claims and parameters but no values. */
function describe(chain: readonly unknown[], status: number | null): string {
  const messages = chain.filter((each) => each instanceof Error).map((each) => each.message);
  const said = printable([...new Set(messages)].join(': '));
  return status === null ? said : `${said} (status ${status})`;
}

function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, MAX_SHOWN);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Of the client, or of the provider's own state, whatever status they come with. */
const NOT_OF_THE_TOKEN: ReadonlySet<string> = new Set([
  'invalid_client',
  'server_error',
  'slow_down',
  'temporarily_unavailable',
]);
const CLIENT_STATUSES: ReadonlySet<number> = new Set([401, 403]);
const HINTS: Readonly<Record<string, string>> = {
  invalid_client: 'Check client_id and client_secret of this provider, or its private key.',
  redirect_uri_mismatch: 'Register <endpoint_url>/<name>/auth/callback at the provider.',
  invalid_scope: 'Check the scopes of this provider.',
};
/** The libraries nest three deep. */
const MAX_CAUSES = 8;
/** Enough to tell, short enough for a log line; what a provider sends is not ours to trust. */
const MAX_SHOWN = 300;
