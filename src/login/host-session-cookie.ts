// The session cookie of a share's host that `cookie_domain` does not reach: host-only, and sealed for that
// host alone, so that it opens nothing at another, whoever carries it there. Same session, same checks: only
// where the browser keeps it differs. Over https alone, since nothing else makes a browser keep to a
// `__Host-` name.

import type { Session } from '../domain/session.ts';
import { serialiseSetCookie } from '../http/cookies.ts';
import { readRecord, textField } from './record.ts';
import type { Seal } from './seal.ts';
import { readSession, sessionRecord } from './session-cookie.ts';

export type SessionAtHost = { readonly host: string; readonly session: Session };

/**
 * Whether the cookie of `cookie_domain` never reaches the host (RFC 6265 section 5.1.3), which is a name in
 * lower case: asked on each request.
 */
export function keepsOwnCookie(host: string, cookieDomain: string): boolean {
  return host !== cookieDomain && !host.endsWith(`.${cookieDomain}`);
}

export function hostSessionCookieName(cookieName: string): string {
  return `__Host-${cookieName}`;
}

/** Set-Cookie for that host, for as long as the session lasts. */
export function hostSessionCookie(
  { seal, cookieName, now }: { readonly seal: Seal; readonly cookieName: string; readonly now: number },
  { host, session }: SessionAtHost,
): string {
  const content = Buffer.concat([textField(host, 1), sessionRecord(session)]);
  return setCookie(
    cookieName,
    seal.seal('host-session', content),
    Math.ceil((session.expiresAt - now) / 1000),
  );
}

/** Set-Cookie that takes it back. */
export function spentHostSessionCookie(cookieName: string): string {
  return setCookie(cookieName, '', 0);
}

/** Null when it was not sealed here. Never throws. */
export function openHostSession(seal: Seal, cookieValue: string): SessionAtHost | null {
  const content = seal.open('host-session', cookieValue);
  if (content === null) return null;
  return readRecord(content, (reader) => ({ host: reader.text(1), session: readSession(reader) }));
}

function setCookie(cookieName: string, value: string, maxAgeSeconds: number): string {
  const name = hostSessionCookieName(cookieName);
  return serialiseSetCookie({ name, value, domain: null, maxAgeSeconds, secure: true });
}
