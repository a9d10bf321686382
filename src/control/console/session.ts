// GET /auth/session: who this browser is logged in as and what they may do, for the pages that it shows.

import type { Context } from 'hono';
import { loginRights } from '../../domain/role.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ConsoleSession } from '../../store/people/console-session.ts';
import { ONESELF, OPERATOR, permissionsOf } from '../authorize.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { timeText } from '../time-text.ts';
import { requireSession, sessionToken } from './console-caller.ts';
import { operatesNow, ownerNow } from './owner-now.ts';
import { requireOwnPage } from './own-page.ts';

/**
 * `{kind, account, member, apiKey, person, may, expiresAt}`: of `member`, `apiKey` and `person` those that
 * there are. A `visitor` is a person without an account. Throws `login_required`.
 */
export async function showSession(deps: ControlDeps, c: Context<ControlEnv>): Promise<Response> {
  requireOwnPage(c.req, deps.settings().console.publicUrl);
  const token = sessionToken(deps, c.req);
  if (token === null)
    throw new ServiceError('login_required', 'Cannot show the session: this browser is not logged in');
  const session = await requireSession(deps, token);
  const { console } = deps.settings();
  const me = session.kind === 'key' ? null : ownerNow(console, session, c.env);
  const { may, ...who } = shown(session);
  return c.json({
    kind: session.kind,
    ...who,
    may: operatesNow(console, me) ? [...may, OPERATOR] : may,
    expiresAt: timeText(session.expiresAt),
  });
}

function shown(session: ConsoleSession) {
  switch (session.kind) {
    case 'member': {
      const { member, accountName, person, provider } = session;
      const { id, accountId, email, role } = member;
      return {
        account: { id: accountId, name: accountName },
        member: { id, email, role },
        apiKey: null,
        person: person === null ? null : { email: person.email, provider },
        may: [...permissionsOf(loginRights(role)), ONESELF],
      };
    }
    case 'key': {
      const { id, accountId, name, role, scope } = session.key;
      return {
        account: { id: accountId, name: session.accountName },
        member: null,
        apiKey: { id, name, role, scope },
        person: null,
        may: permissionsOf({ role, scope }),
      };
    }
    case 'visitor': {
      const { email, provider } = session.person;
      return { account: null, member: null, apiKey: null, person: { email, provider }, may: [ONESELF] };
    }
  }
}
