// POST /auth/logout: ends the session of this browser. Repeating it does no harm.

import type { Context } from 'hono';
import { secretHash } from '../../domain/secret.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { sessionToken } from './console-caller.ts';
import { aboutSession, recordedLogin } from './console-note.ts';
import { consoleCookie } from './console-settings.ts';
import { requireOwnPage } from './own-page.ts';

export async function logOut(deps: ControlDeps, c: Context<ControlEnv>): Promise<Response> {
  const settings = deps.settings().console;
  requireOwnPage(c.req, settings.publicUrl);
  const token = sessionToken(deps, c.req);
  if (token !== null) {
    const { consoleSessions } = deps.store;
    const session = await consoleSessions.find(secretHash(token));
    await recordedLogin(
      deps,
      c.env,
      () => consoleSessions.end(secretHash(token)),
      () => (session === null ? [] : [{ ...aboutSession(session), kind: 'console.logout' }]),
    );
  }
  c.header('set-cookie', consoleCookie(settings, { name: 'svc-control', value: '', maxAgeSeconds: 0 }));
  return c.body(null, 204);
}
