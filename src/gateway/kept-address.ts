// The cookies on a share's host that hold a return URL too long for the login to carry. Their path ends in
// the address's key: no request but the one that ends the login brings them, and tabs with different
// addresses are not in each other's way. They expire by themselves with the login.

import { cookieValues, parseCookies, serialiseSetCookie } from '../http/cookies.ts';
import { BEGIN_PATH } from '../login/begin-grant.ts';
import { MAX_PIECES, openAddress, sealAddress } from '../login/kept-address.ts';
import { fitsLogin } from '../login/return-url.ts';
import type { GateParts } from './gate-parts.ts';

export type Kept = {
  /** Null for an address that the login carries itself. */
  readonly key: string | null;
  readonly setCookies: readonly string[];
};

/**
 * What names of cookies with pieces contain, with or without `__Secure-` before it, in front of their number.
 */
export const ADDRESS_COOKIE = 'svc-auth-address-';

type KeepParts = Pick<GateParts, 'seal' | 'secure' | 'settings'>;

/** Null for an address that is too long to be kept. */
export function keepAddress(
  { seal, secure, settings }: KeepParts,
  address: { readonly url: string; readonly bindingHash: string | null },
): Kept | null {
  if (fitsLogin(address.url)) return NOT_KEPT;
  const kept = sealAddress(seal, address);
  if (kept === null) return null;
  const maxAgeSeconds = Math.ceil((2 * settings.intermediateLifetimeMs + BEGIN_MS) / 1000);
  const setCookies = kept.pieces.map((value, index) =>
    addressCookie({ secure, key: kept.key, index }, value, maxAgeSeconds),
  );
  return { key: kept.key, setCookies };
}

/** Null when this browser has it no more. */
export function keptAddress({ seal, secure }: KeepParts, key: string, cookie: string | null): string | null {
  const pairs = parseCookies(cookie ?? undefined);
  const at = (index: number) => cookieValues(pairs, cookieName(secure, index), MAX_TRIED);
  return openAddress(seal, { key, at });
}

/** Set-Cookie values that take back those that the request brought. */
export function spentAddress({ secure }: KeepParts, key: string, cookie: string | null): readonly string[] {
  const names = new Set(parseCookies(cookie ?? undefined).map(({ name }) => name));
  return INDICES.filter((index) => names.has(cookieName(secure, index))).map((index) =>
    addressCookie({ secure, key, index }, '', 0),
  );
}

type Place = { readonly secure: boolean; readonly key: string; readonly index: number };

function addressCookie({ secure, key, index }: Place, value: string, maxAgeSeconds: number): string {
  const name = cookieName(secure, index);
  return serialiseSetCookie({
    name,
    value,
    domain: null,
    path: `${BEGIN_PATH}/${key}`,
    maxAgeSeconds,
    secure,
  });
}

function cookieName(secure: boolean, index: number): string {
  return `${secure ? '__Secure-' : ''}${ADDRESS_COOKIE}${index}`;
}

export const NOT_KEPT: Kept = { key: null, setCookies: [] };
/**
 * The login may be started as late as its link allows, and completed as late after that; then comes the last
 * leg.
 */
const BEGIN_MS = 60_000;
/**
 * A sibling host may plant cookies of the same names; those with the longest path, which are ours, come
 * first.
 */
const MAX_TRIED = 4;
const INDICES = Array.from({ length: MAX_PIECES }, (_, index) => index);
