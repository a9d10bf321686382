// GET /v1/operator/accounts: all accounts in figures, a page at a time.

import type { OperatedAccount } from '../../wire/operator.ts';
import { problems } from '../answers.ts';
import { pageOf, readCursor } from '../cursor.ts';
import { operation } from '../operation.ts';
import { pageQuerySchema } from '../shares/schema.ts';
import { accountPageSchema } from './schema.ts';
import { accountObject } from './view.ts';

export const listOperatedAccounts = operation({
  needs: 'operator',
  route: {
    method: 'get',
    path: '/v1/operator/accounts',
    operationId: 'listOperatedAccounts',
    summary: 'List all accounts',
    description:
      'Lists all accounts of the service, one page at a time: their state, when they were last used, and how much of their limits they use.',
    request: { query: pageQuerySchema },
    responses: {
      200: {
        description: 'A page of accounts, sorted by name.',
        content: { 'application/json': { schema: accountPageSchema } },
      },
      ...problems(),
    },
  },
  make:
    ({ store, settings }) =>
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const found = await store.accounts.page({ after: readCursor(cursor), limit: limit + 1 });
      const { items, nextCursor } = pageOf(found, limit, ({ name }) => name);
      const shown: OperatedAccount[] = [];
      // One after the other: to count is work for the database, and others wait for it.
      for (const account of items) {
        const { limits, ...about } = await accountObject(store, account, settings().limits);
        shown.push({ ...about, limits: limits.filter(({ used }) => used !== null) });
      }
      return c.json(accountPageSchema.parse({ items: shown, nextCursor }), 200);
    },
});
