// The host-only cookies that over https bind a session to the browser that asked for it (DESIGN 3, "Bound to the
// browser"). Each has a name of its own: tabs that start their first login at the same moment are each given one, and
// none may push out another's, or the logins of all but the last would be bound to a cookie that is gone.

import { randomToken, shortHash } from '../domain/secret.ts';
import { parseCookies, serialiseSetCookie } from '../http/cookies.ts';

/** What the names of binding cookies begin with; a name may end there. */
export const BINDING_COOKIE = '__Host-svc-auth-bind';

export function isBindingCookie(name: string): boolean {
  return name.startsWith(BINDING_COOKIE);
}

/** `shortHash` of each binding cookie that the browser has, at most eight. */
export function bindingHashes(cookie: string | null): readonly string[] {
  if (cookie === null || !cookie.includes(BINDING_COOKIE)) return NONE;
  return parseCookies(cookie)
    .filter(({ name, value }) => isBindingCookie(name) && value !== '')
    .slice(0, MAX_BINDINGS)
    .map(({ value }) => shortHash(value));
}

export type Binding = {
  /** `shortHash` of the cookie; null over plain HTTP. */
  readonly hash: string | null;
  /** The Set-Cookie that a browser without one gets; null when it has one, or none is used. */
  readonly setCookie: string | null;
};

/** Keeps the binding that the browser has; makes one otherwise. */
export function bindingOf(existingHash: string | null, secure: boolean): Binding {
  if (!secure) return { hash: null, setCookie: null };
  if (existingHash !== null) return { hash: existingHash, setCookie: null };
  const value = randomToken();
  const hash = shortHash(value);
  const name = `${BINDING_COOKIE}-${hash.slice(0, NAME_HASH_LENGTH)}`;
  return {
    hash,
    setCookie: serialiseSetCookie({ name, value, domain: null, maxAgeSeconds: null, secure: true }),
  };
}

const NONE: readonly string[] = [];
/** 36 bits: enough to tell the tabs of one browser apart. */
const NAME_HASH_LENGTH = 6;
/** More tabs than this seldom open at once, and each costs a hash a request. */
const MAX_BINDINGS = 8;
