// Makes a session in the store and the cookie that carries it (DESIGN "One browser, many logins"; contract
// 2.5).

import { newId } from '../domain/id.ts';
import type { Identity } from '../domain/identity.ts';
import type { ProviderRef } from '../domain/provider-ref.ts';
import type { Session } from '../domain/session.ts';
import type { Share } from '../domain/share.ts';
import type { Tokens } from '../providers/provider.ts';
import type { SessionRow } from '../store/sessions/session.ts';
import { eventOf } from './audit.ts';
import { knownBrowser, sessionCookie, sessionsInCookies } from './browser-cookie.ts';
import type { LoginDeps, LoginHttpRequest } from './login-deps.ts';

export type NewSession = {
  readonly share: Share;
  readonly identity: Identity;
  readonly provider: ProviderRef;
  readonly bindingHash: string | null;
  readonly tokens: Tokens;
  /** When the gate sent the visitor to log in, in milliseconds since the epoch. */
  readonly startedAt: number;
};

/**
 * Answers the new session with the Set-Cookie values: the sessions of the incoming cookie that still live,
 * and this browser's of the last minute, so that logins side by side lose none. A session that is bound to a
 * browser is to be confirmed by it, and takes the place of what the browser had for the share only then;
 * without a binding it does at once. Throws `login_loop` at the third session of one browser and share in 30
 * seconds, when none of them was ever used and each login set out after the one before was done: tabs that
 * log in side by side are no loop, nor are logins after logouts, or after checks that the provider can only
 * make by a login.
 */
export async function beginSession(
  deps: LoginDeps,
  request: LoginHttpRequest,
  wanted: NewSession,
): Promise<{ readonly session: Session; readonly cookies: readonly string[] }> {
  const browser = knownBrowser(deps.oauth, request.cookies);
  const known = sessionsInCookies(deps, request.cookies);
  const confirmWithinMs = wanted.bindingHash === null ? null : CONFIRM_WITHIN_MS;
  const others = await living(
    deps,
    known.filter(({ shareId }) => confirmWithinMs !== null || shareId !== wanted.share.id),
  );
  const userAgent = request.headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null;
  const row = newRow(deps, wanted, { browserHash: browser.hash, ip: request.ip, userAgent });
  const event = eventOf(deps, request, {
    kind: 'login.succeeded',
    provider: row.providerName,
    shareId: row.shareId,
    sessionId: row.id,
    email: row.email,
  });
  const now = deps.now();
  // From here to the answer nothing waits where it need not: answers leave in the order of the transactions,
  // so the cookie that a browser keeps is the one that knows of all sessions.
  const { recent, ended } = await deps.sessions.begin({
    session: row,
    tokens: wanted.tokens,
    emailVerified: wanted.identity.emailVerified === true,
    facts: wanted.identity.facts,
    former: known.filter(({ shareId }) => shareId === wanted.share.id).map(({ id }) => id),
    recentSince: now - RECENT_MS,
    loopSince: now - LOOP_WINDOW_MS,
    loopUntil: wanted.startedAt,
    loopLimit: LOOP_LIMIT,
    event,
    confirmWithinMs,
  });
  deps.audited(event);
  const sessions = [...recent.map(sessionOf), ...others].filter(({ id }) => !ended.includes(id));
  return {
    session: sessionOf(row),
    cookies: [sessionCookie(deps, newestFirst(sessions)), ...browser.cookies],
  };
}

function newRow(
  deps: LoginDeps,
  wanted: NewSession,
  from: Pick<SessionRow, 'browserHash' | 'ip' | 'userAgent'>,
): Omit<SessionRow, 'endedAt' | 'endReason'> {
  const now = deps.now();
  return {
    id: newId('ses'),
    shareId: wanted.share.id,
    accountId: wanted.share.accountId,
    providerName: wanted.provider.name,
    providerGeneration: wanted.provider.generation,
    subject: wanted.identity.subject,
    email: wanted.identity.email,
    bindingHash: wanted.bindingHash,
    createdAt: now,
    expiresAt: Math.floor((now + deps.oauth.sessionLifetimeMs) / 1000) * 1000,
    checkedAt: now,
    lastSeenAt: now,
    providerSid: wanted.tokens.sid ?? null,
    ...from,
  };
}

/** Those that the store still knows as living. */
async function living(deps: LoginDeps, sessions: readonly Session[]): Promise<readonly Session[]> {
  const now = deps.now();
  const unexpired = sessions.filter((session) => session.expiresAt > now);
  const states = await Promise.all(unexpired.map((session) => deps.sessions.state(session.id)));
  return unexpired.filter((_, index) => states[index]?.ended === false);
}

/** The first is the new one and stays first, whatever lifetime the others were given. */
function newestFirst(sessions: readonly Session[]): readonly Session[] {
  const [begun, ...others] = new Map(sessions.map((session) => [session.id, session])).values();
  return begun === undefined ? [] : [begun, ...others.toSorted((a, b) => b.expiresAt - a.expiresAt)];
}

export function sessionOf(row: Omit<SessionRow, 'endedAt' | 'endReason'>): Session {
  const { id, shareId, providerGeneration, email, expiresAt, bindingHash } = row;
  return { id, shareId, providerGeneration, email, expiresAt, bindingHash };
}

/** For two redirects. One that only somebody else could confirm is over soon. */
const CONFIRM_WITHIN_MS = 60_000;
/** Longer than any two callbacks of one browser that run side by side. */
export const RECENT_MS = 60_000;
/** Twice what browsers send. It is shown to admins, and decides nothing. */
const MAX_USER_AGENT = 256;
/**
 * A browser that keeps being sent back would log in for ever: the third login in this time explains instead.
 */
const LOOP_WINDOW_MS = 30_000;
const LOOP_LIMIT = 2;
