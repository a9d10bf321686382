// From the Cookie header to the session for one share (contract 2.5). A cookie is opened once; after that an LRU
// remembers it by its whole value. Only cookies that opened are remembered: rubbish cannot push good ones out.

import { LRUCache } from 'lru-cache';
import type { ShareId } from '../domain/id.ts';
import type { Session } from '../domain/session.ts';
import { cookieValues, parseCookies } from '../http/cookies.ts';
import type { Seal } from '../login/seal.ts';
import { openSessions } from '../login/session-cookie.ts';

export type SessionWish = {
  readonly cookie: string | null;
  readonly shareId: ShareId;
  /** `shortHash` of each binding cookie; none over plain HTTP. */
  readonly bindingHashes: readonly string[];
};

export type SessionOf = (wish: SessionWish) => Session | null;

/** Picks, of at most four cookies of that name, the session for the share: one bound to this browser first, then the newest. */
export function createSessionOf(seal: Seal, cookieName: string): SessionOf {
  const opened = new LRUCache<string, readonly Session[]>({
    max: MAX_OPENED,
    maxSize: MAX_OPENED_CHARACTERS,
    sizeCalculation: (_sessions, value) => value.length,
  });
  const open = (value: string): readonly Session[] | null => {
    if (value.length > MAX_COOKIE_CHARACTERS) return null;
    const known = opened.get(value);
    if (known !== undefined) return known;
    const sessions = openSessions(seal, value);
    if (sessions !== null) opened.set(value, sessions);
    return sessions;
  };
  return ({ cookie, shareId, bindingHashes }) => {
    if (cookie === null || !cookie.includes(cookieName)) return null;
    let best: Session | null = null;
    for (const value of cookieValues(parseCookies(cookie), cookieName, MAX_TRIED))
      for (const session of open(value) ?? [])
        if (session.shareId === shareId && (best === null || isBetter(session, best, bindingHashes)))
          best = session;
    return best;
  };
}

function isBetter(session: Session, best: Session, bindingHashes: readonly string[]): boolean {
  const bound = isBound(session, bindingHashes);
  if (bound !== isBound(best, bindingHashes)) return bound;
  return session.expiresAt > best.expiresAt;
}

function isBound({ bindingHash }: Session, bindingHashes: readonly string[]): boolean {
  return bindingHash !== null && bindingHashes.includes(bindingHash);
}

/** A sibling host may plant cookies of the same name; four are tried, so that planting costs the gate little (DESIGN 3). */
const MAX_TRIED = 4;
/** Browsers keep no larger cookie. */
const MAX_COOKIE_CHARACTERS = 4_096;
const MAX_OPENED = 50_000;
/** 32 MiB of cookie text at most. */
const MAX_OPENED_CHARACTERS = 32 * 1024 * 1024;
