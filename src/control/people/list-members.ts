// GET /v1/members: the account's members in the order that was asked for, a page at a time.

import { MEMBER_ORDERS } from '../../domain/list-orders.ts';
import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { memberObject, memberPageSchema } from './member-schema.ts';
import { sortedPage, sortedPageSchema, totalOf } from '../sorting.ts';

export const listMembers = operation({
  needs: 'members.read',
  route: {
    method: 'get',
    path: '/v1/members',
    operationId: 'listMembers',
    summary: 'List members',
    description: 'Lists members, one page at a time.',
    request: { query: sortedPageSchema(MEMBER_ORDERS) },
    responses: {
      200: {
        description: 'A page of members, sorted by email address unless `sort` says otherwise.',
        content: { 'application/json': { schema: memberPageSchema } },
      },
      ...problems(),
    },
  },
  make:
    ({ store }) =>
    async (c) => {
      const query = c.req.valid('query');
      const { accountId } = c.get('caller');
      const { sort, after, cursorAt } = sortedPage(MEMBER_ORDERS, query);
      const page = { sort, after, limit: query.limit };
      const { rows, next } = await store.members.list(accountId, page);
      const total = await totalOf({ after, next, count: rows.length }, (most) =>
        store.members.count(accountId, most),
      );
      const items = rows.map(memberObject);
      return c.json(memberPageSchema.parse({ items, nextCursor: cursorAt(next), total }), 200);
    },
});
