// The reserved paths of a share host (DESIGN 2.3): `/.svc/session`, `/.svc/logout`, `/.svc/begin`; all else below `/.svc/` is
// nothing and never forwarded.

import { isReservedPath } from '../domain/reserved-path.ts';
import { BEGIN_PATH } from '../login/begin-grant.ts';

export type OwnRoute = 'session' | 'logout' | 'begin' | 'unknown';

/** Null for what belongs to the backend. `target` is in origin form. */
export function ownRoute(target: string): OwnRoute | null {
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  return ROUTES.get(path) ?? (isReservedPath(path) ? 'unknown' : null);
}

const ROUTES: ReadonlyMap<string, OwnRoute> = new Map([
  ['/.svc/session', 'session'],
  ['/.svc/logout', 'logout'],
  [BEGIN_PATH, 'begin'],
]);
