// Requests that a browser makes ahead of the person (Sec-Purpose of the Fetch standard and of Speculation
// Rules, and what older browsers send instead). Any page may have any address fetched so, unseen, and
// Chromium says `Sec-Fetch-Site: none` to that as if the person had typed it.

import { ServiceError } from './service-error.ts';

/** `purpose`: what such headers say, in any order; null when none was sent. */
export function isLookAhead(purpose: string | null): boolean {
  return purpose !== null && AHEAD.test(purpose);
}

/**
 * Throws `looked_ahead`: nothing of a login happens before the person comes. The browser throws such an
 * answer away.
 */
export function refuseLookAhead(purpose: string | null): void {
  if (isLookAhead(purpose))
    throw new ServiceError('looked_ahead', 'Cannot answer ahead of time: this is a step of a login');
}

/** What the headers of a request say, by `header`. */
export function purposeOf(header: (name: string) => string | undefined): string | null {
  const said = LOOK_AHEAD_HEADERS.flatMap((name) => header(name) ?? []);
  return said.length === 0 ? null : said.join(', ');
}

/** All that browsers say it with. */
const LOOK_AHEAD_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;
const AHEAD = /prefetch|prerender|preview/i;
