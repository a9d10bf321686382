// GET /v1/tokens: the account's service tokens by name, a page at a time. What they are is shown, never the
// tokens themselves.

import { problems } from '../answers.ts';
import { pageOf, readCursor } from '../cursor.ts';
import { operation } from '../operation.ts';
import { pageQuerySchema } from '../shares/schema.ts';
import { serviceTokenObject, serviceTokenPageSchema } from './schema.ts';
import { shareNamesOf } from './share-names.ts';

export const listServiceTokens = operation({
  needs: 'tokens.read',
  route: {
    method: 'get',
    path: '/v1/tokens',
    operationId: 'listServiceTokens',
    summary: 'List service tokens',
    description: 'Lists service tokens, one page at a time, without the tokens themselves.',
    request: { query: pageQuerySchema },
    responses: {
      200: {
        description: 'A page of tokens, sorted by name.',
        content: { 'application/json': { schema: serviceTokenPageSchema } },
      },
      ...problems(),
    },
  },
  make:
    ({ store }) =>
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const rows = await store.serviceTokens.list(c.get('caller').accountId, {
        after: readCursor(cursor),
        limit: limit + 1,
      });
      const { items, nextCursor } = pageOf(rows, limit, ({ name }) => name);
      const names = await shareNamesOf(store.shares, items);
      const page = { items: items.map((row) => serviceTokenObject(row, names)), nextCursor };
      return c.json(serviceTokenPageSchema.parse(page), 200);
    },
});
