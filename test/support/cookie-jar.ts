// The cookies of one browser (RFC 6265bis section 5), as strict as Chromium where it matters to us:
// host-only, Domain, Path, Secure, expiry, the `__Host-` and `__Secure-` prefixes. It knows no public
// suffixes.

export type JarCookie = {
  readonly name: string;
  readonly value: string;
  /** Host it belongs to, lower case, without a leading dot. */
  readonly domain: string;
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly sameSite: string | null;
  /** Milliseconds since the epoch; null for a cookie that lives as long as the browser. */
  readonly expiresAt: number | null;
};

export type CookieJar = {
  /** Takes the `Set-Cookie` values of an answer of `url`; answers those that were refused. */
  readonly store: (url: URL, setCookies: readonly string[]) => readonly string[];
  /** The `Cookie` header for `url`, or null. Longer paths first (RFC 6265bis section 5.8.3). */
  readonly header: (url: URL) => string | null;
  readonly all: () => readonly JarCookie[];
  readonly find: (name: string) => JarCookie | undefined;
  /** Puts a cookie in as it is: for cookies stolen from, or planted by, somebody else. */
  readonly put: (cookie: JarCookie) => void;
  readonly remove: (name: string) => void;
  readonly clear: () => void;
};

export function createCookieJar(now: () => number = Date.now): CookieJar {
  const cookies = new Map<string, JarCookie>();
  const alive = () => [...cookies.values()].filter((c) => c.expiresAt === null || c.expiresAt > now());
  const put = (cookie: JarCookie) => {
    const key = `${cookie.name};${cookie.domain};${cookie.path}`;
    cookies.delete(key);
    if (cookie.expiresAt === null || cookie.expiresAt > now()) cookies.set(key, cookie);
  };
  return {
    store(url, setCookies) {
      const refused: string[] = [];
      for (const line of setCookies) {
        const cookie = parseSetCookie(url, line, now());
        if (cookie === null) refused.push(line);
        else put(cookie);
      }
      return refused;
    },
    header(url) {
      const fitting = alive()
        .filter((cookie) => isFor(cookie, url))
        .toSorted((a, b) => b.path.length - a.path.length);
      return fitting.length === 0 ? null : fitting.map((c) => `${c.name}=${c.value}`).join('; ');
    },
    all: alive,
    find: (name) => alive().find((cookie) => cookie.name === name),
    put,
    remove(name) {
      for (const [key, cookie] of cookies) if (cookie.name === name) cookies.delete(key);
    },
    clear: () => cookies.clear(),
  };
}

/** One `Set-Cookie` value, or null when a browser would not take it from `url`. */
export function parseSetCookie(url: URL, line: string, now: number): JarCookie | null {
  const [pair = '', ...attributes] = line.split(';');
  const equals = pair.indexOf('=');
  if (equals < 1) return null;
  const name = pair.slice(0, equals).trim();
  const value = pair.slice(equals + 1).trim();
  const read = readAttributes(attributes);
  const domain = read.get('domain')?.replace(/^\./, '').toLowerCase() ?? '';
  const secure = read.has('secure');
  const askedPath = read.get('path') ?? '';
  const path = askedPath.startsWith('/') ? askedPath : defaultPath(url.pathname);
  if (domain !== '' && !domainMatches(url.hostname, domain)) return null;
  if (secure && url.protocol !== 'https:') return null;
  if (/^__secure-/i.test(name) && !secure) return null;
  if (/^__host-/i.test(name) && (!secure || domain !== '' || askedPath !== '/')) return null;
  return {
    name,
    value,
    domain: domain === '' ? url.hostname : domain,
    hostOnly: domain === '',
    path,
    secure,
    httpOnly: read.has('httponly'),
    sameSite: read.get('samesite')?.toLowerCase() ?? null,
    expiresAt: expiryOf(read, now),
  };
}

function readAttributes(attributes: readonly string[]): Map<string, string> {
  const read = new Map<string, string>();
  for (const attribute of attributes) {
    const [key = '', ...rest] = attribute.split('=');
    read.set(key.trim().toLowerCase(), rest.join('=').trim());
  }
  return read;
}

/** Max-Age wins over Expires (RFC 6265bis section 5.6.2). */
function expiryOf(attributes: ReadonlyMap<string, string>, now: number): number | null {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return now + Number(maxAge) * 1000;
  const expires = Date.parse(attributes.get('expires') ?? '');
  return Number.isNaN(expires) ? null : expires;
}

function isFor(cookie: JarCookie, url: URL): boolean {
  const host = cookie.hostOnly ? url.hostname === cookie.domain : domainMatches(url.hostname, cookie.domain);
  return host && pathMatches(url.pathname, cookie.path) && (!cookie.secure || url.protocol === 'https:');
}

function domainMatches(host: string, domain: string): boolean {
  if (host === domain) return true;
  const isAddress = /^[\d.]+$|:/.test(host);
  return !isAddress && host.endsWith(`.${domain}`);
}

function pathMatches(requested: string, path: string): boolean {
  if (requested === path) return true;
  return requested.startsWith(path) && (path.endsWith('/') || requested[path.length] === '/');
}

function defaultPath(pathname: string): string {
  const end = pathname.lastIndexOf('/');
  return end <= 0 ? '/' : pathname.slice(0, end);
}
