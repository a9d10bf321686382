// The reserved paths of a share host (DESIGN 2.3): `/.svc/session`, `/.svc/logout`; all else below `/.svc/` is nothing and
// never forwarded, in no spelling that a backend or a browser could take for it.

export type OwnRoute = 'session' | 'logout' | 'unknown';

/** Null for what belongs to the backend. `target` is in origin form. */
export function ownRoute(target: string): OwnRoute | null {
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  if (path === '/.svc/session') return 'session';
  if (path === '/.svc/logout') return 'logout';
  if (!SUSPECT.test(path)) return null;
  const plain = resolved(path);
  return plain === '/.svc' || plain.startsWith('/.svc/') ? 'unknown' : null;
}

/** The path as the most forgiving reader takes it: decoded, backslashes as slashes, dot segments and empty ones resolved. */
function resolved(path: string): string {
  const decoded = path
    .replaceAll(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\', '/');
  const segments: string[] = [];
  for (const segment of decoded.split('/')) {
    // Servlet containers cut `;parameters` off a segment before they resolve it.
    const name = segment.split(';', 1)[0]!;
    if (name === '' || name === '.') continue;
    if (name === '..') segments.pop();
    else segments.push(name);
  }
  return `/${segments.join('/')}`;
}

/** Only a path with `svc` in it, or with something to decode, can mean ours. */
const SUSPECT = /svc|%/;
