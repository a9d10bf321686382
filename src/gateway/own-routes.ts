// The reserved paths of a share host (DESIGN 2.3): `/.svc/session` and its script, `/.svc/login`,
// `/.svc/logout`, `/.svc/begin`; all else below `/.svc/` is nothing and never forwarded.

import { isReservedPath } from '../domain/reserved-path.ts';
import { BEGIN_PATH } from '../login/begin-grant.ts';

export type OwnRoute = 'session' | 'script' | 'login' | 'logout' | 'begin' | 'unknown';

/** Null for what belongs to the backend. `target` is in origin form. */
export function ownRoute(target: string): OwnRoute | null {
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  if (isReservedPath(path)) return ROUTES.get(path) ?? (BEGIN_WITH_KEY.test(path) ? 'begin' : 'unknown');
  return null;
}

/** The key of a kept address in the target of a `begin`; null when there is none. */
export function addressKeyIn(target: string): string | null {
  return BEGIN_WITH_KEY.exec(target.split('?', 1)[0]!)?.[1] ?? null;
}

/** 16 bytes in base64url. `RegExp.escape()` is not there on Node 22; the path has no other sign than dots. */
const BEGIN_WITH_KEY = new RegExp(`^${BEGIN_PATH.replaceAll('.', '\\.')}/([\\w-]{22})$`);
const ROUTES: ReadonlyMap<string, OwnRoute> = new Map([
  ['/.svc/session', 'session'],
  ['/.svc/session.js', 'script'],
  ['/.svc/login', 'login'],
  ['/.svc/logout', 'logout'],
  [BEGIN_PATH, 'begin'],
]);
