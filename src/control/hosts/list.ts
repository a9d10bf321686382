// GET /v1/hosts: the host names of their own that the account's shares have, a page at a time.

import { HOST_ORDERS } from '../../domain/list-orders.ts';
import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { hostObject, hostPageSchema, hostQuerySchema } from './schema.ts';
import { shareIdNamed } from '../shares/find.ts';
import { sortedPage, totalOf } from '../sorting.ts';

export const listHosts = operation({
  needs: 'shares.read',
  route: {
    method: 'get',
    path: '/v1/hosts',
    operationId: 'listHosts',
    summary: 'List hosts',
    description: 'Lists claimed and verified hosts, one page at a time.',
    request: { query: hostQuerySchema },
    responses: {
      200: {
        description: 'A page of hosts, sorted by name unless `sort` says otherwise.',
        content: { 'application/json': { schema: hostPageSchema } },
      },
      ...problems('share_unknown'),
    },
  },
  make:
    ({ store }) =>
    async (c) => {
      const query = c.req.valid('query');
      const { limit, share } = query;
      const { accountId } = c.get('caller');
      const { sort, after, cursorAt } = sortedPage(HOST_ORDERS, query);
      const shareId = share === undefined ? null : await shareIdNamed(store.shares, accountId, share);
      const { rows, next } = await store.hosts.list(accountId, { sort, after, limit, shareId });
      const total = await totalOf({ after, next, count: rows.length }, (most) =>
        store.hosts.count(accountId, shareId, most),
      );
      const items = rows.map(hostObject);
      return c.json(hostPageSchema.parse({ items, nextCursor: cursorAt(next), total }), 200);
    },
});
