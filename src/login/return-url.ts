// Where a visitor goes back to after the login. The address came sealed from the gate, and is still held
// against the share when it is used: no login ends anywhere but on a host of the share that it was for.

import type { ShareBase } from '../config/config.ts';
import { isReservedPath } from '../domain/reserved-path.ts';
import { hostOrigin, shareHost } from '../domain/share-name.ts';
import type { Share } from '../domain/share.ts';

/** Whether a login carries it whole. */
export function fitsLogin(returnUrl: string): boolean {
  return Buffer.byteLength(returnUrl) <= MAX_RETURN_URL_BYTES;
}

/** The address if it fits, else its path without the query, else the root of its host (DESIGN "Attempts"). */
export function boundedReturnUrl(returnUrl: string, maxBytes: number = MAX_RETURN_URL_BYTES): string {
  if (Buffer.byteLength(returnUrl) <= maxBytes) return returnUrl;
  const url = URL.parse(returnUrl);
  if (url === null) return '';
  const withoutQuery = url.origin + url.pathname;
  return Buffer.byteLength(withoutQuery) <= maxBytes ? withoutQuery : `${url.origin}/`;
}

/**
 * The address to go back to: `returnUrl` when it is on one of the share's hosts with the gateway's scheme and
 * port, and none of the service's own paths there; else the share's main page. What a browser might read
 * differently (backslashes, control characters, spaces) is written out the way the URL standard reads it;
 * userinfo is never sent on.
 */
export function safeReturnUrl(returnUrl: string, share: Share, base: ShareBase): string {
  const url = URL.parse(returnUrl);
  const isHere =
    url !== null &&
    url.username === '' &&
    url.password === '' &&
    share.hosts.includes(url.hostname) &&
    url.origin === hostOrigin(url.hostname, base) &&
    !isReservedPath(url.pathname);
  if (!isHere) return shareHome(share, base);
  return UNAMBIGUOUS.test(returnUrl) ? returnUrl : url.href;
}

/** The main page of a share. */
export function shareHome(share: Share, base: ShareBase): string {
  return `${hostOrigin(share.hosts[0] ?? shareHost(share.name, base), base)}/`;
}

/** A whole URL in a cookie beside the rest of an attempt must stay below 1.8 KB when sealed. */
const MAX_RETURN_URL_BYTES = 1024;
/** An absolute http(s) address in printable ASCII, without a backslash and with exactly two slashes. */
const UNAMBIGUOUS = /^https?:\/\/[\w.:-]+(?:[/?#][!-[\]-~]*)?$/i;
