// The paths of a share host that are the service's own (DESIGN 2.3): `/.svc` and all below, in no spelling
// that a backend or a browser could take for it. None is a backend's, and none is where a login leads.

/** `path`: without the query. */
export function isReservedPath(path: string): boolean {
  if (!SUSPECT.test(path)) return false;
  const plain = resolved(path);
  return plain === '/.svc' || plain.startsWith('/.svc/');
}

/**
 * The path as the most forgiving reader takes it: decoded, backslashes as slashes, dot segments and empty
 * ones resolved.
 */
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
