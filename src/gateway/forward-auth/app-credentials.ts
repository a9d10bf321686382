// What the app may have of the credentials that a visitor sends: not the cookies of the gate, and no service
// token. Under the names of a request, since most proxies copy headers of an answer by their names; empty
// where nothing is left, so that what is copied overwrites.

import { withoutCookies } from '../../http/cookies.ts';
import { isServiceBearer } from '../shown-token.ts';
import type { StripRules } from '../strip.ts';

/** Flat. */
export function appCredentials(
  ownCookie: StripRules['ownCookie'],
  rawHeaders: readonly string[],
): readonly string[] {
  const cookies: string[] = [];
  const authorizations: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    const value = rawHeaders[index + 1]!;
    if (isNamed(name, 'cookie')) cookies.push(value);
    else if (isNamed(name, 'authorization') && !isServiceBearer(value)) authorizations.push(value);
  }
  const left = cookies.length === 0 ? null : withoutCookies(cookies.join('; '), ownCookie);
  return ['Cookie', left ?? '', 'Authorization', authorizations.join(', '), 'svc-auth-token', ''];
}

function isNamed(name: string, lower: string): boolean {
  return name.length === lower.length && name.toLowerCase() === lower;
}
