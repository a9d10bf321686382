// What leaves a request before it is forwarded (DESIGN "Stripping"): hop-by-hop headers and those nominated
// by Connection, everything only the gate may say, service tokens, and the gate's own cookies. Nothing is
// added here but the Host.

import { withoutCookies } from '../http/cookies.ts';
import type { HeaderKinds } from './header-kind.ts';
import { isServiceBearer } from './shown-token.ts';

export type StripRules = {
  readonly kinds: HeaderKinds;
  /** Whether a cookie of that name stays here. */
  readonly ownCookie: (name: string) => boolean;
};

export type StripInput = {
  readonly rawHeaders: readonly string[];
  /** All Connection headers joined, or null. */
  readonly connection: string | null;
  readonly host: string;
  /** Whether Expect is passed on. */
  readonly expectsContinue: boolean;
};

/** The headers that may go to the backend, flat, order and case kept, `Host` first. A fresh array. */
export function stripRequest(rules: StripRules, input: StripInput): string[] {
  const { rawHeaders, connection } = input;
  const nominated = connection === null ? NONE : nominatedNames(connection);
  const out: string[] = ['Host', input.host];
  const cookies: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    const value = rawHeaders[index + 1]!;
    const kind = rules.kinds(name);
    if (kind === 'hop' || kind === 'reserved' || kind === 'host') continue;
    if (nominated.size > 0 && nominated.has(name.toLowerCase())) continue;
    if (kind === 'authorization' && isServiceBearer(value)) continue;
    if (kind === 'cookie') cookies.push(value);
    else if (kind !== 'expect') out.push(name, value);
    else if (input.expectsContinue) out.push('Expect', '100-continue');
  }
  if (cookies.length > 0) appendCookies(out, cookies, rules.ownCookie);
  return out;
}

/** Trailers: the same rules, and nothing that belongs into a head (RFC 9110 section 6.5.1). */
export function stripTrailers(kinds: HeaderKinds, trailers: readonly string[]): readonly string[] {
  if (trailers.length === 0) return trailers;
  const out: string[] = [];
  for (let index = 0; index < trailers.length; index += 2) {
    const name = trailers[index]!;
    if (kinds(name) === 'pass' && !HEAD_ONLY.has(name.toLowerCase())) out.push(name, trailers[index + 1]!);
  }
  return out;
}

/**
 * One Cookie header: HTTP/2 may split it (RFC 9113 section 8.2.3), HTTP/1.1 must not (RFC 6265 section 5.4).
 */
function appendCookies(
  out: string[],
  cookies: readonly string[],
  ownCookie: (name: string) => boolean,
): void {
  const header = cookies.length === 1 ? cookies[0]! : cookies.join('; ');
  const left = withoutCookies(header, ownCookie);
  if (left !== null) out.push('Cookie', left);
}

/** What Connection names goes, but for what the request cannot do without. */
export function nominatedNames(connection: string): ReadonlySet<string> {
  const lower = connection.toLowerCase();
  if (lower === 'keep-alive' || lower === 'close' || lower === 'upgrade') return NONE;
  const names = new Set(lower.split(',').map((name) => name.trim()));
  for (const name of KEPT) names.delete(name);
  return names;
}

const NONE: ReadonlySet<string> = new Set();
const KEPT = ['', 'close', 'keep-alive', 'upgrade', 'te', 'host', 'cookie', 'content-type'];
const HEAD_ONLY: ReadonlySet<string> = new Set([
  'authorization',
  'content-encoding',
  'content-range',
  'content-type',
  'cache-control',
  'max-forwards',
  'range',
  'set-cookie',
  'set-cookie2',
]);
