// A browser sends its cookie with whatever any page asks for: shares are same-site to the control plane, so
// SameSite stops none of them. The cookie counts at the control plane's own host alone, for its own pages
// alone.

import type { HonoRequest } from 'hono';
import { isLookAhead, purposeOf } from '../../domain/look-ahead.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { requireJson } from '../json-body.ts';

/** Throws `misdirected` for a request that is not for exactly the host of `control.public_url`. */
export function requireOwnHost(request: HonoRequest, publicUrl: URL): void {
  if (request.header('host') !== publicUrl.host)
    throw new ServiceError(
      'misdirected',
      'Cannot serve a browser at this host: the console is at another address',
      {
        hint: `Open ${publicUrl.origin}.`,
      },
    );
}

/**
 * Throws `foreign_origin` for what another site's page asked for: unsafe methods must say that they are of
 * our own origin, and must be JSON, which no form can send; what a browser says of its own accord (Fetch
 * Metadata) must agree.
 */
export function requireOwnPage(request: HonoRequest, publicUrl: URL): void {
  requireOwnHost(request, publicUrl);
  const origin = request.header('origin');
  const isSafe = request.method === 'GET' || request.method === 'HEAD';
  const isForeign = !isOwnSite(request) || (origin === undefined ? !isSafe : origin !== publicUrl.origin);
  if (isForeign)
    throw new ServiceError('foreign_origin', 'Cannot use your login here: another site made this request');
  if (!isSafe) requireJson(request);
}

/**
 * Whether the browser says that a page of our own, or the person alone, asked for this; or says nothing of
 * it. Of what it fetches ahead for whichever page it says `none`, too: that is nobody's own doing.
 */
export function isOwnSite(request: HonoRequest): boolean {
  const site = request.header('sec-fetch-site');
  if (site === 'none') return !isLookAhead(purposeOf((name) => request.header(name)));
  return site === undefined || site === 'same-origin';
}
