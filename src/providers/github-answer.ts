// Reads GitHub's answers. Its token endpoint answers errors with status 200; its API answers JSON with plain
// statuses.

import { ServiceError } from '../domain/service-error.ts';
import { readShortText } from './claimed-values.ts';
import { faultOfStatus } from './provider-fault.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { readOptionalToken, readToken } from './provider-values.ts';
import type { Claims } from './provider-values.ts';
import type { Tokens } from './provider.ts';

/** Tokens, or the error code that came instead. Throws `provider_unreachable` or `provider_error`. */
export async function readTokenAnswer(
  action: string,
  response: Response,
): Promise<{ readonly tokens: Tokens } | { readonly error: string }> {
  if (faultOfStatus(response.status) !== 'provider_error') throw statusFault(action, response);
  const body = asRecord(await readJson(action, response));
  const { error } = body;
  if (typeof error === 'string') return { error: error.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 100) };
  if (response.status !== 200) throw statusFault(action, response);
  const tokens = {
    accessToken: readToken(body['access_token'], 'access token'),
    refreshToken: readOptionalToken(body['refresh_token'], 'refresh token'),
    idToken: null,
    subject: null,
  };
  return { tokens };
}

/** The JSON of an API answer with status 200. Throws as `statusFault`, or `provider_permission_missing`. */
export async function readApiAnswer(action: string, response: Response): Promise<unknown> {
  const { status } = response;
  if (status === 200) return readJson(action, response);
  const fault = statusFault(action, response);
  if (fault.code !== 'provider_error' || (status !== 403 && status !== 404)) throw fault;
  throw new ServiceError(
    'provider_permission_missing',
    `Cannot ${action}: the status is ${status}, a permission is missing`,
    { hint: PERMISSION_HINT },
  );
}

/**
 * `provider_rate_limited`, `provider_unreachable` or `provider_error`. The API says 403 for a rate limit and
 * for a missing permission; only its headers tell them apart.
 */
export function statusFault(action: string, { status, headers }: Response): ServiceError {
  const waitSeconds = rateLimitSeconds(headers, Date.now());
  if (status === 429 || (status === 403 && waitSeconds !== null))
    return new ServiceError('provider_rate_limited', `Cannot ${action}: its rate limit is reached`, {
      extra: waitSeconds === null ? {} : { retryAfterSeconds: waitSeconds },
    });
  return new ServiceError(faultOfStatus(status), `Cannot ${action}: the status is ${status}`);
}

/**
 * Null when no rate limit is reached. The secondary ones say Retry-After, the primary one when it is reset.
 */
function rateLimitSeconds(headers: Headers, now: number): number | null {
  const said = retryAfterSeconds(headers, now);
  if (said !== null) return said;
  if (headers.get('x-ratelimit-remaining') !== '0') return null;
  const reset = Number(headers.get('x-ratelimit-reset') ?? 0);
  return Math.min(Math.max(Math.ceil(reset - now / 1000), 1), MAX_RESET_SECONDS);
}

const PERMISSION_HINT =
  'OAuth Apps need the scope "user:email"; GitHub Apps need the account permission "Email addresses: read-only".';
/** The primary limit is counted by the hour. */
const MAX_RESET_SECONDS = 60 * 60;

/** GitHub's numeric id of a user as text: it stays when the login name changes. */
export function readUserId(user: unknown): string {
  const { id } = asRecord(user);
  if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0) return String(id);
  throw new ServiceError('provider_error', 'Cannot read the GitHub user: there is no numeric id');
}

/** The display name, which not everybody has. */
export function readUserName(user: unknown): string | null {
  return readShortText(asRecord(user)['name']);
}

/**
 * The primary address as claims, so that it is judged like any other. Throws `email_unusable` when there is
 * none.
 */
export function readPrimaryEmail(emails: unknown): Claims {
  const all: readonly unknown[] = Array.isArray(emails) ? emails : [];
  const primary = all.map(asRecord).find((each) => each['primary'] === true);
  if (primary === undefined)
    throw new ServiceError('email_unusable', 'Cannot log in: the GitHub user has no primary email address');
  return { email: primary['email'], email_verified: primary['verified'] === true };
}

async function readJson(action: string, response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    if (response.status !== 200) throw statusFault(action, response);
    throw new ServiceError('provider_error', `Cannot ${action}: the response is not JSON`);
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
