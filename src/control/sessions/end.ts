// DELETE /v1/sessions/{session}: ends one. Its open streams are closed, its cookie is worth nothing any more.

import { z } from '@hono/zod-openapi';
import { idToBytes, type SessionId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { endSessions } from './ending.ts';

const sessionParamsSchema = z.strictObject({
  session: z
    .string()
    .max(100)
    .openapi({ param: { name: 'session', in: 'path' }, description: 'Its id.' }),
});

export const endSession = operation({
  needs: 'sessions.end',
  route: {
    method: 'delete',
    path: '/v1/sessions/{session}',
    operationId: 'endSession',
    summary: 'End a session',
    description:
      'Ends the session on every gateway within two seconds, and revokes its tokens at the provider.',
    request: { params: sessionParamsSchema },
    responses: {
      204: { description: 'The session ended, now or earlier.' },
      ...problems('session_unknown'),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const id = c.req.valid('param').session;
    const row = isSessionId(id) ? await deps.store.sessions.find(id) : null;
    if (row === null || row.accountId !== caller.accountId)
      throw new ServiceError('session_unknown', `Cannot end session "${id}": no session has that id`, {
        hint: 'List them with "doorward session list".',
      });
    await endSessions(deps, caller, { by: 'id', id: row.id });
    return c.body(null, 204);
  },
});

function isSessionId(text: string): text is SessionId {
  return text.startsWith('ses_') && idToBytes(text) !== null;
}
