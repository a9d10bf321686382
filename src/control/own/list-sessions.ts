// GET /v1/me/sessions: where the person is logged in now, newest first.

import { problems } from '../answers.ts';
import { MAX_PAGE } from '../cursor.ts';
import { operation } from '../operation.ts';
import { ownSessionListSchema } from './schema.ts';
import { ownSessionObject } from './view.ts';

export const listOwnSessions = operation({
  needs: 'oneself',
  route: {
    method: 'get',
    path: '/v1/me/sessions',
    operationId: 'listOwnSessions',
    summary: 'List your own sessions',
    description:
      'Lists the sessions of the same person at the same provider, at the shares of every account that the provider serves.',
    responses: {
      200: {
        description: 'Active sessions, at most 200, the newest first.',
        content: { 'application/json': { schema: ownSessionListSchema } },
      },
      ...problems(),
    },
  },
  make: (deps) => async (c) => {
    const found = await deps.store.own.sessions(c.get('me'), MAX_PAGE + 1);
    const { shareBase } = deps.settings();
    const items = found.slice(0, MAX_PAGE).map((session) => ownSessionObject(session, shareBase));
    return c.json(ownSessionListSchema.parse({ items, more: found.length > MAX_PAGE }), 200);
  },
});
