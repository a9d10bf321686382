// Where a logout may send the browser (contract 4.2 `redirect_url`; DESIGN "Logout"). What two readers could
// take for two different hosts is no address here.

import { matchesHostGlob, normaliseHost } from '../domain/host-name.ts';

/**
 * The address as given, or null when it may not be redirected to: not absolute http(s), userinfo, a
 * backslash, spaces or control characters, or a host that none of `hosts` matches by label. Null `hosts`
 * allow every host.
 */
export function parseLogoutRedirect(text: string, hosts: readonly string[] | null): string | null {
  if (text.length > MAX_LENGTH || !UNAMBIGUOUS.test(text)) return null;
  const url = URL.parse(text);
  const host = url === null ? null : normaliseHost(url.hostname);
  if (url === null || host === null || url.username !== '' || url.password !== '') return null;
  if (hosts !== null && !hosts.some((glob) => matchesHostGlob(host, glob))) return null;
  return text;
}

/**
 * A scheme, exactly two slashes, a host, then printable ASCII: no userinfo, backslash, space or control
 * character.
 */
const UNAMBIGUOUS = /^https?:\/\/[\w.:[\]-]+(?:[/?#][!-[\]-~]*)?$/i;
/** Longer ones do not fit the header that they would come back in. */
const MAX_LENGTH = 4096;
