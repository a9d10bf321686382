// What a visitor without a session gets (DESIGN "Not a page load", "Return URL"): people are
// sent to log in, programs are told where.

import { isReservedPath } from '../domain/reserved-path.ts';
import type { HeadFacts } from './head-facts.ts';

export type LoginAnswerKind = 'redirect' | 'see-other' | 'unauthorized';

/**
 * GET and HEAD are redirected unless something says that a program asks; a form posted by navigation is sent
 * to log in and returns by GET; everything else is told by 401.
 */
export function loginAnswerKind(method: string, upgrade: boolean, facts: HeadFacts): LoginAnswerKind {
  if (upgrade || !isPageLoad(facts)) return 'unauthorized';
  if (method === 'GET' || method === 'HEAD') return 'redirect';
  return method === 'POST' && isNavigation(facts) ? 'see-other' : 'unauthorized';
}

/**
 * Where the visitor comes back to: the whole URL. For a call that a page made, that page, since nobody wants
 * to land on the answer of a call; only a Referer of the share itself is believed.
 */
export function returnUrlOf(
  ownOrigin: string,
  target: string,
  facts: { readonly kind: LoginAnswerKind; readonly referer: string | null },
): string {
  const { kind, referer } = facts;
  if (kind === 'unauthorized' && referer?.startsWith(`${ownOrigin}/`) === true && !isOwnPage(referer))
    return referer;
  return `${ownOrigin}${target === '*' ? '/' : target}`;
}

/** What `return_to` in the query of a target names on this host; the main page for anything else. */
export function returnUrlWithin(ownOrigin: string, target: string): string {
  const query = target.indexOf('?');
  const [wanted, ...more] = new URLSearchParams(query < 0 ? '' : target.slice(query + 1)).getAll('return_to');
  const home = `${ownOrigin}/`;
  if (wanted === undefined || more.length > 0 || !wanted.startsWith('/')) return home;
  const url = URL.parse(wanted, ownOrigin);
  return url === null || url.origin !== ownOrigin || isReservedPath(url.pathname)
    ? home
    : ownOrigin + url.pathname + url.search;
}

/** An address of the service's own, where no login leads. */
function isOwnPage(referer: string): boolean {
  return isReservedPath(URL.parse(referer)?.pathname ?? '/.svc');
}

function isPageLoad(facts: HeadFacts): boolean {
  if (facts.requestedWith !== null) return false;
  if (facts.fetchMode !== null && facts.fetchMode !== 'navigate') return false;
  return !(facts.accept !== null && JSON_TYPE.test(facts.accept) && !HTML_TYPE.test(facts.accept));
}

/** Fetch Metadata says so; from clients without it, a form that wants a page back. */
function isNavigation(facts: HeadFacts): boolean {
  if (facts.fetchMode !== null) return facts.fetchMode === 'navigate';
  return FORM_TYPE.test(facts.contentType ?? '') && HTML_TYPE.test(facts.accept ?? '');
}

const JSON_TYPE = /\bjson\b/i;
const HTML_TYPE = /\btext\/html\b|\bapplication\/xhtml\+xml\b/i;
const FORM_TYPE = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;
