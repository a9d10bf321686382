// GET /v1/members: the account's members by address, a page at a time.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { pageOf, readCursor } from '../cursor.ts';
import { memberObject, memberPageSchema } from './member-schema.ts';
import { pageQuerySchema } from '../shares/schema.ts';

export const listMembersRoute = createRoute({
  method: 'get',
  path: '/v1/members',
  operationId: 'listMembers',
  summary: 'List members',
  description: 'Members by email address, a page at a time.',
  ...needs('members.read'),
  request: { query: pageQuerySchema },
  responses: {
    200: {
      description: 'A page of members by address.',
      content: { 'application/json': { schema: memberPageSchema } },
    },
    ...problems(),
  },
});

export function listMembers({ store }: ControlDeps): RouteHandler<typeof listMembersRoute, ControlEnv> {
  return async (c) => {
    const { limit, cursor } = c.req.valid('query');
    // An address has more characters than a cursor's name.
    const after = readCursor(cursor);
    const rows = await store.members.list(c.get('caller').accountId, {
      after: after === null ? null : Buffer.from(after, 'hex').toString('latin1'),
      limit: limit + 1,
    });
    const page = pageOf(rows, limit, ({ email }) => Buffer.from(email).toString('hex'));
    return c.json(memberPageSchema.parse({ ...page, items: page.items.map(memberObject) }), 200);
  };
}
