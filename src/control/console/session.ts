// GET /auth/session: who this browser is logged in as, for the pages that it shows.

import type { Context } from 'hono';
import { ServiceError } from '../../domain/service-error.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { requireSession, sessionToken } from './console-caller.ts';
import { requireOwnPage } from './own-page.ts';

/** `{account: {id, name}, member: {id, email, role}, expiresAt}`. Throws `login_required`. */
export async function showSession(deps: ControlDeps, c: Context<ControlEnv>): Promise<Response> {
  requireOwnPage(c.req, deps.settings().console.publicUrl);
  const token = sessionToken(deps, c.req);
  if (token === null)
    throw new ServiceError('login_required', 'Cannot show the session: this browser is not logged in');
  const { member, accountName, expiresAt } = await requireSession(deps, token);
  const { id, accountId, email, role } = member;
  return c.json({
    account: { id: accountId, name: accountName },
    member: { id, email, role },
    expiresAt: new Date(expiresAt).toISOString(),
  });
}
