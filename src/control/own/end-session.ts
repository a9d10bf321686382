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
    summary: 'End one of one’s own sessions',
    description:
      'Ends one session of the person who calls. It stops working on every gateway within two seconds.',
    request: { params: ownSessionParamsSchema },
    responses: { 204: { description: 'It is over.' }, ...problems('session_unknown') },
  },
  make: (deps) => async (c) => {
    const { session: id } = c.req.valid('param');
    const ended = isSessionId(id) ? await endOwnSessions(deps, c.get('me'), id) : 0;
    // One of another person's, and one that is over, read as none.
    if (ended === 0)
      throw new ServiceError('session_unknown', `Cannot end session "${id}": you have none of that id`, {
        hint: 'Load the page again: it may be over by now.',
      });
    return c.body(null, 204);
  },
});

function isSessionId(text: string): text is SessionId {
  return text.startsWith('ses_') && idToBytes(text) !== null;
}
