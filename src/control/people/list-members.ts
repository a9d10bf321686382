// GET /v1/members: the account's members by address, a page at a time.

import { problems } from '../answers.ts';
import { pageOf, readCursor } from '../cursor.ts';
import { operation } from '../operation.ts';
import { memberObject, memberPageSchema } from './member-schema.ts';
import { pageQuerySchema } from '../shares/schema.ts';

export const listMembers = operation({
  needs: 'members.read',
  route: {
    method: 'get',
    path: '/v1/members',
    operationId: 'listMembers',
    summary: 'List members',
    description: 'Lists members, one page at a time.',
    request: { query: pageQuerySchema },
    responses: {
      200: {
        description: 'A page of members, sorted by email address.',
        content: { 'application/json': { schema: memberPageSchema } },
      },
      ...problems(),
    },
  },
  make:
    ({ store }) =>
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      // An address has more characters than a cursor's name.
      const after = readCursor(cursor);
      const rows = await store.members.list(c.get('caller').accountId, {
        after: after === null ? null : Buffer.from(after, 'hex').toString('latin1'),
        limit: limit + 1,
      });
      const page = pageOf(rows, limit, ({ email }) => Buffer.from(email).toString('hex'));
      return c.json(memberPageSchema.parse({ ...page, items: page.items.map(memberObject) }), 200);
    },
});
