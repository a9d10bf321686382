// Consent to access while the person is away (OpenID Connect Core section 11): some providers give a refresh
// token without it, some with it alone, and some for a person's first login only. So it is asked for after a
// login that brought none, where the share needs one for its checks; and once for each person, provider and
// browser, whatever comes of it.

import type { Identity } from '../domain/identity.ts';
import { shortHash } from '../domain/secret.ts';
import { asServiceError } from '../domain/service-error.ts';
import { cookieValues } from '../http/cookies.ts';
import type { Provider, Tokens } from '../providers/provider.ts';
import type { Cookies } from './answers.ts';
import { attemptCookies, newAttempt } from './attempt.ts';
import { BROWSER_MAX_AGE_SECONDS, hostCookie, hostCookieName } from './browser-cookie.ts';
import { logFault } from './fault-log.ts';
import type { LoginDeps, LoginHttpRequest } from './login-deps.ts';
import { redirectUri } from './login-url.ts';
import { type LoginTarget, strengthOf } from './login-target.ts';

export type LoginWithoutConsent = {
  readonly request: LoginHttpRequest;
  readonly target: LoginTarget;
  readonly identity: Identity;
  readonly tokens: Tokens;
  /** When the gate sent the visitor to log in, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly checkIntervalMs: number;
};

/**
 * The way back to the provider, by a new attempt; null when the login is complete as it is. The tokens that
 * came are not revoked: at many providers that would take away what the person is asked for, and what other
 * sessions live on.
 */
export async function askConsent(
  deps: LoginDeps,
  provider: Provider,
  login: LoginWithoutConsent,
): Promise<{ readonly location: string; readonly cookies: Cookies } | null> {
  if (!mayBringMore(deps, provider, login)) return null;
  const { request, target, identity, startedAt } = login;
  const mark = shortHash(JSON.stringify([provider.generation, identity.subject]));
  const asked = askedBefore(deps, request);
  if (asked.includes(mark)) return null;
  const expiresAt = startedAt + deps.oauth.intermediateLifetimeMs;
  const { attempt, state } = newAttempt(deps, provider, { ...target, expiresAt });
  try {
    const url = await provider.authorizeUrl({
      redirectUri: redirectUri(deps.oauth.endpointUrl, provider.name),
      state,
      nonce: attempt.nonce,
      codeVerifier: attempt.codeVerifier,
      selectAccount: false,
      strength: strengthOf(provider, target),
      consentOf: identity.email,
    });
    const marks = [mark, ...asked].slice(0, MOST_MARKS).join('.');
    return {
      location: url.href,
      cookies: [
        hostCookie(deps.oauth, CONSENT_COOKIE, marks, BROWSER_MAX_AGE_SECONDS),
        ...attemptCookies(deps, { attempt, state }, request.cookies),
      ],
    };
  } catch (error) {
    // Who got this far is logged in: without a refresh token, if need be.
    logFault(
      deps.log,
      { act: 'login', requestId: request.requestId, path: request.path },
      asServiceError(error),
    );
    return null;
  }
}

function mayBringMore(
  { oauth }: LoginDeps,
  provider: Provider,
  { tokens, checkIntervalMs }: LoginWithoutConsent,
): boolean {
  return (
    provider.mayAskConsent === true &&
    provider.refresh !== undefined &&
    tokens.refreshToken === null &&
    checkIntervalMs < oauth.sessionLifetimeMs
  );
}

/** Whom, at which provider, this browser asked already. It opens nothing, so it needs no seal. */
function askedBefore({ oauth }: LoginDeps, { cookies }: LoginHttpRequest): readonly string[] {
  const [value = ''] = cookieValues(cookies, hostCookieName(oauth, CONSENT_COOKIE), 1);
  return value
    .split('.')
    .filter((each) => MARK.test(each))
    .slice(0, MOST_MARKS);
}

const CONSENT_COOKIE = 'svc-auth-consent';
/** What `shortHash` makes. */
const MARK = /^[\w-]{22}$/;
/** People and providers of one browser: a household's, and some of an administrator who tries. */
const MOST_MARKS = 12;
