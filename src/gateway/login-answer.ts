// What a visitor without a session gets (DESIGN 3, "Not a page load", "Bound to the browser", "Return URL"): people are
// sent to log in, programs are told where, and the browser gets the cookie that the session will be bound to.

import { randomToken, shortHash } from '../domain/secret.ts';
import type { ShareId } from '../domain/id.ts';
import { serialiseSetCookie } from '../http/cookies.ts';
import { sealLoginRequest } from '../login/login-request.ts';
import type { Seal } from '../login/seal.ts';
import type { HeadFacts } from './head-facts.ts';

export type LoginAnswerKind = 'redirect' | 'see-other' | 'unauthorized';

/**
 * GET and HEAD are redirected unless something says that a program asks; a form posted by navigation is sent to log in and
 * returns by GET; everything else is told by 401.
 */
export function loginAnswerKind(method: string, upgrade: boolean, facts: HeadFacts): LoginAnswerKind {
  if (upgrade || !isPageLoad(facts)) return 'unauthorized';
  if (method === 'GET' || method === 'HEAD') return 'redirect';
  return method === 'POST' && isNavigation(facts) ? 'see-other' : 'unauthorized';
}

/** The host-only cookie that over https binds a session to the browser that asked for it. */
export const BINDING_COOKIE = '__Host-svc-auth-bind';

export type Binding = {
  /** `shortHash` of the cookie; null over plain HTTP. */
  readonly hash: string | null;
  /** The Set-Cookie that a browser without one gets; null when it has one, or none is used. */
  readonly setCookie: string | null;
};

/** Keeps the binding that the browser has; makes one otherwise. */
export function bindingOf(existingHash: string | null, secure: boolean): Binding {
  if (!secure) return { hash: null, setCookie: null };
  if (existingHash !== null) return { hash: existingHash, setCookie: null };
  const value = randomToken();
  const cookie = { name: BINDING_COOKIE, value, domain: null, maxAgeSeconds: null, secure: true };
  return { hash: shortHash(value), setCookie: serialiseSetCookie(cookie) };
}

export type LoginUrlFacts = {
  readonly endpointUrl: string;
  readonly shareId: ShareId;
  readonly providerName: string;
  readonly returnUrl: string;
  readonly bindingHash: string | null;
  readonly selectAccount: boolean;
  readonly expiresAt: number;
};

/** `{endpoint_url}/<provider>/login?request=…` (DESIGN 2.2). */
export function loginUrl(seal: Seal, facts: LoginUrlFacts): string {
  const { endpointUrl, ...request } = facts;
  return `${endpointUrl.replace(/\/+$/, '')}/${facts.providerName}/login?request=${sealLoginRequest(seal, request)}`;
}

/**
 * Where the visitor comes back to: the whole URL. For a call that a page made, that page, since nobody wants to land on the
 * answer of a call; only a Referer of the share itself is believed.
 */
export function returnUrlOf(
  ownOrigin: string,
  target: string,
  facts: { readonly kind: LoginAnswerKind; readonly referer: string | null },
): string {
  if (facts.kind === 'unauthorized' && facts.referer?.startsWith(`${ownOrigin}/`) === true)
    return facts.referer;
  return `${ownOrigin}${target === '*' ? '/' : target}`;
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
