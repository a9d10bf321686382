// POST /auth/logout: ends the session of this browser. Repeating it does no harm, and a store that is away
// does not stop it: the cookie goes, the session is refused here, and its end is owed to the store.

import type { Context } from 'hono';
import { type Secret, secretHash } from '../../domain/secret.ts';
import { doneInTime } from '../../login/owed-logout.ts';
import type { AskedBy, ControlDeps, ControlEnv } from '../control-deps.ts';
import { sessionToken } from './console-caller.ts';
import { aboutSession, recordedLogin } from './console-note.ts';
import { consoleCookie } from './console-settings.ts';
import { requireOwnPage } from './own-page.ts';

export async function logOut(deps: ControlDeps, c: Context<ControlEnv>): Promise<Response> {
  const settings = deps.settings().console;
  requireOwnPage(c.req, settings.publicUrl);
  const token = sessionToken(deps, c.req);
  if (token !== null) await endOrOwe(deps, c.env, token);
  c.header('set-cookie', consoleCookie(settings, { name: 'svc-control', value: '', maxAgeSeconds: 0 }));
  return c.body(null, 204);
}

async function endOrOwe(deps: ControlDeps, by: AskedBy, token: Secret): Promise<void> {
  const hash = secretHash(token);
  const end = () => endSession(deps, by, hash);
  const done = await doneInTime(
    deps,
    end().then(() => true),
  );
  if (done === null) deps.owedConsoleEnds.owe({ ids: [hash], end, from: by.address, isOurs: false });
}

/** Of two that end it at once, one writes it down. */
async function endSession(deps: ControlDeps, by: AskedBy, hash: string): Promise<void> {
  const { consoleSessions } = deps.store;
  const session = await consoleSessions.find(hash);
  await recordedLogin(
    deps,
    by,
    () => consoleSessions.end(hash),
    (isEnded) => (session === null || !isEnded ? [] : [{ ...aboutSession(session), kind: 'console.logout' }]),
  );
}
