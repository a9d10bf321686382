// Cookies on the wire (RFC 6265): the Cookie header taken apart without changing a byte, one cookie taken out
// of it, and Set-Cookie written. Knows nothing of what is in them.

/** A power of two: 4 MB of the longest at most. */
const RECENT_HEADERS = 1_024;
/** Above what browsers send to most hosts. */
const MAX_RECENT_LENGTH = 4_096;

export type CookiePair = { readonly name: string; readonly value: string };

/**
 * The pairs of a Cookie header in the order they came, duplicates included, values as sent (quotes, `=`,
 * spaces inside). A pair without `=` is a value without a name, as browsers send it. Over 32 KiB nothing is
 * read, and no more than 512 pairs (RFC 6265 sections 4.2 and 5.4).
 */
export function parseCookies(header: string | undefined): readonly CookiePair[] {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return [];
  const read = recentOf(header);
  return (read.pairs ??= pairsOf(header));
}

function pairsOf(header: string): readonly CookiePair[] {
  const pairs: CookiePair[] = [];
  for (const piece of header.split(';', MAX_PAIRS)) {
    const pair = parsePair(piece);
    if (pair !== null) pairs.push(pair);
  }
  return pairs;
}

/** The values of the first `limit` cookies of that name (a sibling host may have planted others of it). */
export function cookieValues(pairs: readonly CookiePair[], name: string, limit: number): readonly string[] {
  const values: string[] = [];
  for (const pair of pairs) {
    if (values.length >= limit) break;
    if (pair.name === name) values.push(pair.value);
  }
  return values;
}

/**
 * The header without the cookies whose name `remove` tells, all others byte for byte as they came; null when
 * none is left. Of any length: what must not be forwarded is found wherever it stands.
 */
export function withoutCookies(header: string, remove: (name: string) => boolean): string | null {
  const read = recentOf(header);
  if (read.without?.remove !== remove) read.without = { remove, left: leftOf(header, remove) };
  return read.without.left;
}

function leftOf(header: string, remove: (name: string) => boolean): string | null {
  const pieces = header.split(';');
  const kept = pieces.filter((piece) => {
    const pair = parsePair(piece);
    return pair === null || !remove(pair.name);
  });
  if (kept.length === pieces.length) return header;
  const left = kept.join(';').trimStart();
  return left === '' ? null : left;
}

export type SetCookie = {
  readonly name: string;
  /** Cookie octets only (RFC 6265 section 4.1.1): no spaces, quotes, commas, semicolons, backslashes. */
  readonly value: string;
  /** Null: the cookie stays with the host that sets it. */
  readonly domain: string | null;
  /** `/` unless said. */
  readonly path?: string;
  /** Whole seconds; 0 expires it at once. Null: as long as the browser runs. */
  readonly maxAgeSeconds: number | null;
  readonly secure: boolean;
};

/** A Set-Cookie value: HttpOnly and SameSite=Lax always. Throws TypeError on what cannot be written. */
export function serialiseSetCookie(cookie: SetCookie): string {
  if (!TOKEN.test(cookie.name) || !COOKIE_OCTETS.test(cookie.value))
    throw new TypeError('Cannot write a cookie: its name or value has characters that cookies cannot carry');
  const parts = [`${cookie.name}=${cookie.value}`];
  if (cookie.domain !== null) parts.push(`Domain=${cookie.domain}`);
  parts.push(`Path=${cookie.path ?? '/'}`);
  if (cookie.maxAgeSeconds !== null) parts.push(`Max-Age=${Math.max(0, Math.floor(cookie.maxAgeSeconds))}`);
  // Browsers that know no Max-Age keep a cookie with a past date no longer than one with Max-Age=0.
  if (cookie.maxAgeSeconds === 0) parts.push('Expires=Thu, 01 Jan 1970 00:00:00 GMT');
  parts.push('HttpOnly', 'SameSite=Lax');
  if (cookie.secure) parts.push('Secure');
  return parts.join('; ');
}

/** What was found in one header. */
type Read = {
  readonly header: string;
  pairs: readonly CookiePair[] | null;
  without: { readonly remove: (name: string) => boolean; readonly left: string | null } | null;
};

/**
 * Headers read lately, each where its characters say: the requests of one browser all bring the same one, and
 * to take it apart costs more than to see that it is the same.
 */
const recent: (Read | undefined)[] = Array.from({ length: RECENT_HEADERS });

function recentOf(header: string): Read {
  if (header.length > MAX_RECENT_LENGTH) return { header, pairs: null, without: null };
  const place = placeOf(header);
  const read = recent[place];
  if (read !== undefined && read.header === header) return read;
  return (recent[place] = { header, pairs: null, without: null });
}

/** Of its length and a few characters, some of which are in a session's text, wherever that stands. */
function placeOf(header: string): number {
  let sum = header.length;
  const step = Math.max(1, Math.floor(header.length / LOOKS));
  for (let at = 0; at < header.length; at += step) sum = (Math.imul(sum, 31) + header.charCodeAt(at)) | 0;
  return (sum ^ (sum >>> 15)) & (RECENT_HEADERS - 1);
}

function parsePair(piece: string): CookiePair | null {
  const equals = piece.indexOf('=');
  if (equals < 0) {
    const value = trim(piece);
    return value === '' ? null : { name: '', value };
  }
  return { name: trim(piece.slice(0, equals)), value: trim(piece.slice(equals + 1)) };
}

/** Spaces and tabs only: any other byte belongs to the cookie. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text, start)) start++;
  while (end > start && isBlank(text, end - 1)) end--;
  return text.slice(start, end);
}

function isBlank(text: string, at: number): boolean {
  return text[at] === ' ' || text[at] === '\t';
}

/** Six attempts of 1.8 KB, a full session cookie and some cookies of others fit; more is a cookie bomb. */
const MAX_HEADER_LENGTH = 32_768;
/** Browsers keep about 180 cookies a site; more are a cookie bomb. */
const MAX_PAIRS = 512;
const LOOKS = 16;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const COOKIE_OCTETS = /^[!#-+\--:<-[\]-~]*$/;
