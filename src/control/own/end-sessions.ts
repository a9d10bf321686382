// DELETE /v1/me/sessions: ends all of the person's own, in one transaction.

import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { endOwnSessions } from './sessions.ts';
import { endedSessionsSchema } from '../sessions/end-of.ts';

export const endAllOwnSessions = operation({
  needs: 'oneself',
  route: {
    method: 'delete',
    path: '/v1/me/sessions',
    operationId: 'endOwnSessions',
    summary: 'End all of your own sessions',
    description:
      'Ends every session of the caller, at the shares of all accounts. They stop working on every gateway within two seconds.',
    responses: {
      200: {
        description: 'The sessions ended.',
        content: { 'application/json': { schema: endedSessionsSchema } },
      },
      ...problems(),
    },
  },
  make: (deps) => async (c) => c.json({ ended: await endOwnSessions(deps, c.get('me'), null) }, 200),
});
