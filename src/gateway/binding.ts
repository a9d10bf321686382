// The host-only cookies that over https bind a session to the browser that asked for it (DESIGN 3, "Bound to
// the browser"). Each has a name of its own: tabs that start their first login at the same moment are each
// given one, and none may push out another's, or the logins of all but the last would be bound to a cookie
// that is gone.

import { LRUCache } from 'lru-cache';
import { randomToken, shortHash } from '../domain/secret.ts';
import { parseCookies, serialiseSetCookie, type CookiePair } from '../http/cookies.ts';
import { atMost } from '../domain/at-most.ts';

/** What the names of binding cookies begin with; a name may end there. */
export const BINDING_COOKIE = '__Host-svc-auth-bind';

export function isBindingCookie(name: string): boolean {
  return name.startsWith(BINDING_COOKIE);
}

/** The binding cookies of one browser. */
export type Bindings = {
  /** Whether the cookie with this `shortHash` is among them. */
  readonly has: (hash: string) => boolean;
  /** `shortHash` of one that a login may be bound to; null when there is none. */
  readonly any: () => string | null;
};

/**
 * Takes the binding cookies out of a Cookie header. What is asked is found by its name, so that a question
 * costs one hash at most.
 */
export function bindingsIn(cookie: string | null): Bindings {
  const pairs = bindingPairs(cookie);
  if (pairs.length === 0) return NO_BINDINGS;
  return {
    has: (hash) => {
      const name = nameFor(hash);
      const values = pairs.filter((pair) => pair.name === name || pair.name === BINDING_COOKIE);
      return values.slice(0, MAX_BINDINGS).some(({ value }) => hashOf(value) === hash);
    },
    any: () => hashOf(pairs[0]!.value),
  };
}

/**
 * Set-Cookie values that take back what many answers at once have left: all but eight binding cookies, the
 * one in use and the newest. No more than fifty at once; the rest go with the next answer.
 */
export function surplusBindings(cookie: string | null, usedHash: string | null): readonly string[] {
  const pairs = bindingPairs(cookie);
  if (pairs.length <= MAX_BINDINGS) return [];
  const used = pairs.find(({ value }) => shortHash(value) === usedHash)?.name;
  // Browsers send older ones first.
  const others = [...new Set(pairs.map(({ name }) => name))].filter((name) => name !== used);
  return others
    .slice(0, 1 - MAX_BINDINGS)
    .slice(0, MAX_EXPIRED)
    .map((name) => serialiseSetCookie({ name, value: '', domain: null, maxAgeSeconds: 0, secure: true }));
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
  const name = nameFor(hash);
  return {
    hash,
    setCookie: serialiseSetCookie({ name, value, domain: null, maxAgeSeconds: null, secure: true }),
  };
}

function bindingPairs(cookie: string | null): readonly CookiePair[] {
  if (cookie === null || !cookie.includes(BINDING_COOKIE)) return NONE;
  return parseCookies(cookie).filter(({ name, value }) => NAME.test(name) && value !== '');
}

/**
 * Each request of a visitor brings the same cookie, and a hash costs more than the rest of the decision
 * (measured: 5 µs).
 */
function hashOf(value: string): string {
  const known = hashes.get(value);
  if (known !== undefined) return known;
  const hash = shortHash(value);
  if (value.length <= MAX_KNOWN_LENGTH) hashes.set(value, hash);
  return hash;
}

function nameFor(hash: string): string {
  return `${BINDING_COOKIE}-${hash.slice(0, NAME_HASH_LENGTH)}`;
}

/** Visitors of one worker at once, about 5 MB; those beyond are hashed again. */
const hashes = new LRUCache<string, string>(atMost(20_000));
/** What the gateway itself sets has 43 characters. */
const MAX_KNOWN_LENGTH = 64;
const NONE: readonly CookiePair[] = [];
/** Of a browser without any. */
export const NO_BINDINGS: Bindings = { has: () => false, any: () => null };
const NAME = /^__Host-svc-auth-bind(?:-[\w-]*)?$/;
/** 36 bits: enough to tell the tabs of one browser apart. */
const NAME_HASH_LENGTH = 6;
/** More tabs than this seldom log in at once. */
const MAX_BINDINGS = 8;
/** Keeps the head of an answer far below what proxies in front take. */
const MAX_EXPIRED = 50;
