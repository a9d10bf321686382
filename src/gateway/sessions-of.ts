// From the Cookie header to the sessions for one share (contract 2.5). A cookie is opened once; after that an
// LRU remembers it with its whole value. Only cookies that opened are remembered, and of a crowd those that
// come again: neither rubbish nor very many that come once can push good ones out.

import { LRUCache } from 'lru-cache';
import type { ShareId } from '../domain/id.ts';
import type { Session } from '../domain/session.ts';
import { cookieValues, parseCookies } from '../http/cookies.ts';
import type { Bindings } from './binding.ts';
import type { Seal } from '../login/seal.ts';
import { hostSessionCookieName, keepsOwnCookie, openHostSession } from '../login/host-session-cookie.ts';
import { openSessions } from '../login/session-cookie.ts';
import { createLately, keyOfText } from './lately.ts';
import type { GateSettings } from './messages.ts';

export type SessionInput = {
  readonly cookie: string | null;
  /** That was asked, in lower case and without port. */
  readonly host: string;
  readonly shareId: ShareId;
  /** None over plain HTTP. */
  readonly bindings: Bindings;
};

export type SessionsOf = (input: SessionInput) => readonly Session[];

/** Which cookies are sessions': see `GateSettings`. */
export type SessionCookies = Pick<GateSettings, 'cookieName' | 'cookieDomain'>;

/**
 * Picks, of at most four cookies of that name, the sessions for the share: those bound to this browser first,
 * the newest first. A host that `cookieDomain` does not reach has a cookie of its own, and believes no other.
 */
export function createSessionsOf(seal: Seal, { cookieName, cookieDomain }: SessionCookies): SessionsOf {
  const opened = new LRUCache<number, Opened>({
    maxSize: MAX_OPENED_CHARACTERS,
    sizeCalculation: ({ value }) => Math.max(value.length, LEAST_CHARACTERS),
  });
  const cameLately = createLately({ places: 1 << 14, ms: OPENED_AGAIN_MS });
  const open = (value: string, host: string | null): readonly Session[] | null => {
    if (value.length > MAX_COOKIE_CHARACTERS) return null;
    const key = keyOfText(value);
    const last = opened.get(key);
    const known = last?.value === value ? last : undefined;
    const found = known ?? openValue(seal, value, host !== null);
    if (found === null) return null;
    if (
      known === undefined &&
      (opened.calculatedSize < FREE_CHARACTERS || cameLately(value, performance.now()))
    )
      opened.set(key, found);
    return found.host === host ? found.sessions : null;
  };
  const hostCookieName = hostSessionCookieName(cookieName);
  return ({ cookie, host, shareId, bindings }) => {
    if (cookie === null || !cookie.includes(cookieName)) return NONE;
    const own = keepsOwnCookie(host, cookieDomain) ? host : null;
    const name = own === null ? cookieName : hostCookieName;
    const found: Session[] = [];
    for (const value of cookieValues(parseCookies(cookie), name, MAX_TRIED))
      for (const session of open(value, own) ?? [])
        if (session.shareId === shareId && !found.some(({ id }) => id === session.id)) found.push(session);
    return found.length < 2 ? found : found.toSorted((a, b) => order(a, b, bindings));
  };
}

type Opened = {
  readonly value: string;
  /** Whose own it is; null for one of `cookieDomain`. */
  readonly host: string | null;
  readonly sessions: readonly Session[];
};

function openValue(seal: Seal, value: string, isOwn: boolean): Opened | null {
  if (isOwn) {
    const at = openHostSession(seal, value);
    return at === null ? null : { value, host: at.host, sessions: [at.session] };
  }
  const sessions = openSessions(seal, value);
  return sessions === null ? null : { value, host: null, sessions };
}

function order(a: Session, b: Session, bindings: Bindings): number {
  const bound = isBound(a, bindings);
  if (bound !== isBound(b, bindings)) return bound ? -1 : 1;
  return b.expiresAt - a.expiresAt;
}

function isBound({ bindingHash }: Session, bindings: Bindings): boolean {
  return bindingHash !== null && bindings.has(bindingHash);
}

const NONE: readonly Session[] = [];
/**
 * A sibling host may plant cookies of the same name; four are tried, so that planting costs the gate little
 * (DESIGN 3).
 */
const MAX_TRIED = 4;
/** Browsers keep no larger cookie. */
const MAX_COOKIE_CHARACTERS = 4_096;
/** 32 MiB of cookie text at most. */
const MAX_OPENED_CHARACTERS = 32 * 1024 * 1024;
/**
 * Beyond it only those that are shown again within a minute; opening one takes some ten microseconds.
 */
const FREE_CHARACTERS = MAX_OPENED_CHARACTERS / 4;
const OPENED_AGAIN_MS = 60_000;
/** Short ones count as this many, so that there are 50,000 at most. */
const LEAST_CHARACTERS = Math.ceil(MAX_OPENED_CHARACTERS / 50_000);
