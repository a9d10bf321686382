// What a backend's answer may not do to the visitor's browser (DESIGN "From backends"): plant the gate's
// cookies, set cookies for sibling shares, move the host elsewhere, or log the visitor out of everything.
// Hop-by-hop headers go, too. And what a cache between the gate and the visitor may not do: answer others
// with it (RFC 9111 section 3.5 says so of requests with Authorization).

import { nominatedNames } from './strip.ts';

export type AnswerRules = {
  /** Whether a name, in lower case, is one of the gate's. */
  readonly isOwnCookie: (name: string) => boolean;
  /** The host that the visitor asked for. */
  readonly host: string;
  /**
   * Not everybody is let in: a cache that others share keeps the answer only if the backend says so in words.
   */
  readonly isPrivate: boolean;
};

/** What the gate itself makes of the answer's head. */
export type BackendHead = {
  readonly headers: string[];
  /** The length that the backend announced; null when it did not. */
  readonly length: number | null;
};

/**
 * A fresh, flat list for the visitor. `rules` is null for the service's own hosts, whose cookies are theirs
 * to set.
 */
export function backendHead(headers: readonly string[], rules: AnswerRules | null): BackendHead {
  const nominated = nominatedBy(headers);
  const out: string[] = [];
  let length: number | null = null;
  let cacheAt = -1;
  let saysWhose = false;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]!;
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || nominated?.has(lower) === true) continue;
    let value: string | null = headers[index + 1]!;
    if (lower === 'content-length') length = Number(value);
    else if (lower === 'cache-control') {
      cacheAt = out.length + 1;
      saysWhose ||= SAYS_WHOSE.test(value);
    } else if (rules !== null) value = harmless(lower, value, rules);
    if (value !== null) out.push(name, value);
  }
  if (rules?.isPrivate === true && !saysWhose) {
    if (cacheAt < 0) out.push('Cache-Control', 'private');
    else out[cacheAt] = out[cacheAt]!.trim() === '' ? 'private' : `${out[cacheAt]!}, private`;
  }
  return { headers: out, length };
}

/** Trailers of an answer: nothing that belongs into a head. */
export function backendTrailers(trailers: readonly string[]): readonly string[] {
  if (trailers.length === 0) return trailers;
  const out: string[] = [];
  for (let index = 0; index < trailers.length; index += 2) {
    const lower = trailers[index]!.toLowerCase();
    if (HOP_BY_HOP.has(lower) || NEVER_TRAILERS.has(lower)) continue;
    out.push(trailers[index]!, trailers[index + 1]!);
  }
  return out;
}

function harmless(lower: string, value: string, rules: AnswerRules): string | null {
  if (lower === 'set-cookie') return setCookie(value, rules);
  if (lower === 'alt-svc') return null;
  if (lower === 'clear-site-data') return clearSiteData(value);
  return value;
}

/**
 * Null for a cookie of the gate's; without its Domain when that is not the host itself, so that it stays
 * there.
 */
function setCookie(value: string, { isOwnCookie, host }: AnswerRules): string | null {
  const [pair = '', ...attributes] = value.split(';');
  // A cookie without a name (`=svc-auth-session=…`) is sent back as if its value were the pair.
  const name = pair.replace(/^[\s=]+/, '').split('=', 1)[0]!;
  if (isOwnCookie(name.trim().toLowerCase())) return null;
  const kept = attributes.filter((attribute) => !isWideDomain(attribute, host));
  return kept.length === attributes.length ? value : [pair, ...kept].join(';');
}

function isWideDomain(attribute: string, host: string): boolean {
  const [name = '', value = ''] = attribute.split('=', 2);
  if (name.trim().toLowerCase() !== 'domain') return false;
  return value.trim().toLowerCase().replace(/^\./, '') !== host;
}

/** Only what touches this origin alone stays: clearing cookies reaches all of the cookie domain. */
function clearSiteData(value: string): string | null {
  const kept = value
    .split(',')
    .map((directive) => directive.trim())
    .filter((directive) => ORIGIN_ONLY.has(directive.toLowerCase()));
  return kept.length === 0 ? null : kept.join(', ');
}

function nominatedBy(headers: readonly string[]): ReadonlySet<string> | null {
  for (let index = 0; index < headers.length; index += 2)
    if (headers[index]!.length === 10 && headers[index]!.toLowerCase() === 'connection')
      return nominatedNames(connectionOf(headers));
  return null;
}

function connectionOf(headers: readonly string[]): string {
  const values: string[] = [];
  for (let index = 0; index < headers.length; index += 2)
    if (headers[index]!.toLowerCase() === 'connection') values.push(headers[index + 1]!);
  return values.join(',');
}

/**
 * Directives by which a backend says who may keep an answer; a list of fields behind `private` speaks of
 * these alone.
 */
const SAYS_WHOSE = /(?:^|[\s,])(?:public|no-store|private|s-maxage\s*=[^,]*)\s*(?:,|$)/i;
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authentication-info',
  'te',
  'transfer-encoding',
  'upgrade',
]);
const NEVER_TRAILERS: ReadonlySet<string> = new Set([
  'alt-svc',
  'clear-site-data',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'set-cookie',
  'trailer',
]);
const ORIGIN_ONLY: ReadonlySet<string> = new Set([
  '"cache"',
  '"clienthints"',
  '"executioncontexts"',
  '"prefetchcache"',
  '"prerendercache"',
  '"storage"',
]);
