// DELETE /v1/me/sessions/{session}: ends one of the person's own. Its open streams are closed, its cookie is
// worth nothing.

import { idToBytes, type SessionId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { endOwnSessions } from './sessions.ts';
import { ownSessionParamsSchema } from './schema.ts';

export const endOwnSession = operation({
  needs: 'oneself',
  route: {
    method: 'delete',
    path: '/v1/me/sessions/{session}',
    operationId: 'endOwnSession',
    summary: 'End one of your own sessions',
    description: 'Ends one session of the caller. It stops working on every gateway within two seconds.',
    request: { params: ownSessionParamsSchema },
    responses: { 204: { description: 'The session ended.' }, ...problems('session_unknown') },
  },
  make: (deps) => async (c) => {
    const { session: id } = c.req.valid('param');
    const ended = isSessionId(id) ? await endOwnSessions(deps, c.get('me'), id) : 0;
    // One of another person's, and one that is over, read as none.
    if (ended === 0)
      throw new ServiceError(
        'session_unknown',
        `Cannot end session "${id}": you have no session with that id`,
        {
          hint: 'Reload the page. The session may have ended.',
        },
      );
    return c.body(null, 204);
  },
});

function isSessionId(text: string): text is SessionId {
  return text.startsWith('ses_') && idToBytes(text) !== null;
}
