// The cookies of the OAuth host and of the session: their names, attributes and scopes (DESIGN "Session
// cookie", One browser many logins). `__Host-` keeps sibling hosts from planting one; over plain HTTP the
// prefix has no force.

import { randomToken, shortHash } from '../domain/secret.ts';
import type { Session } from '../domain/session.ts';
import { cookieValues, serialiseSetCookie, type CookiePair } from '../http/cookies.ts';
import type { LoginDeps, LoginSettings } from './login-deps.ts';
import { openSessions, sealSessions } from './session-cookie.ts';

export type Browser = {
  /** Goes into session rows: names the browser without being its cookie. */
  readonly hash: string;
  /** The Set-Cookie values to send: one when the browser had no cookie yet. */
  readonly cookies: readonly string[];
};

/** The browser's own cookie, or a fresh one. */
export function knownBrowser(oauth: LoginSettings, cookies: readonly CookiePair[]): Browser {
  const known = browserHash(oauth, cookies);
  if (known !== null) return { hash: known, cookies: [] };
  const token = randomToken();
  return {
    hash: shortHash(token),
    cookies: [hostCookie(oauth, BROWSER_COOKIE, token, BROWSER_MAX_AGE_SECONDS)],
  };
}

/** Null for a browser that never logged in here. */
export function browserHash(oauth: LoginSettings, cookies: readonly CookiePair[]): string | null {
  const [token] = cookieValues(cookies, hostCookieName(oauth, BROWSER_COOKIE), 1);
  return token !== undefined && TOKEN.test(token) ? shortHash(token) : null;
}

export function hostCookieName(oauth: LoginSettings, name: string): string {
  return oauth.endpointUrl.protocol === 'https:' ? `__Host-${name}` : name;
}

/** A cookie that stays with the OAuth host. `name` comes without the `__Host-` prefix. */
export function hostCookie(oauth: LoginSettings, name: string, value: string, maxAgeSeconds: number): string {
  return serialiseSetCookie({
    name: hostCookieName(oauth, name),
    value,
    domain: null,
    maxAgeSeconds,
    secure: oauth.endpointUrl.protocol === 'https:',
  });
}

/**
 * The sessions of at most four cookies of the session cookie's name: a sibling host may have planted some.
 */
export function sessionsInCookies(deps: LoginDeps, cookies: readonly CookiePair[]): readonly Session[] {
  const values = cookieValues(cookies, deps.oauth.cookieName, MAX_SESSION_COOKIES);
  const sessions = values.flatMap((value) => openSessions(deps.seal, value) ?? []);
  return [...new Map(sessions.map((session) => [session.id, session])).values()];
}

/**
 * Set-Cookie of the session cookie with these sessions, newest first; with none it expires at once (contract
 * 4.2.2).
 */
export function sessionCookie(deps: LoginDeps, sessions: readonly Session[]): string {
  const { oauth, shareBase } = deps;
  const newestExpiry = Math.max(0, ...sessions.map((session) => session.expiresAt));
  return serialiseSetCookie({
    name: oauth.cookieName,
    value: sessions.length === 0 ? '' : sealSessions(deps.seal, sessions),
    domain: oauth.cookieDomain,
    maxAgeSeconds: sessions.length === 0 ? 0 : Math.ceil((newestExpiry - deps.now()) / 1000),
    secure: oauth.endpointUrl.protocol === 'https:' && shareBase.scheme === 'https',
  });
}

const BROWSER_COOKIE = 'svc-auth-browser';
/** What `randomToken` makes. */
const TOKEN = /^[A-Za-z0-9_-]{22}$/;
/** As long as browsers keep a cookie at all (RFC 6265bis section 5.5): 400 days. */
export const BROWSER_MAX_AGE_SECONDS = 400 * 24 * 60 * 60;
const MAX_SESSION_COOKIES = 4;
