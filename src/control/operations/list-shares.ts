// GET /v1/shares: the account's shares by name, a page at a time.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { pageOf, readCursor } from '../cursor.ts';
import { sharePageSchema, shareSearchSchema } from '../share-schema.ts';
import { shareObject } from '../share-view.ts';

export const listSharesRoute = createRoute({
  method: 'get',
  path: '/v1/shares',
  operationId: 'listShares',
  summary: 'List shares',
  ...needs('shares.read'),
  request: { query: shareSearchSchema },
  responses: {
    200: {
      description: 'A page of shares by name.',
      content: { 'application/json': { schema: sharePageSchema } },
    },
    ...problems(),
  },
});

export function listShares(deps: ControlDeps): RouteHandler<typeof listSharesRoute, ControlEnv> {
  return async (c) => {
    const { limit, cursor, provider } = c.req.valid('query');
    const rows = await deps.store.shares.list(c.get('caller').accountId, {
      after: readCursor(cursor),
      limit: limit + 1,
      provider,
    });
    const page = pageOf(rows, limit, (row) => row.name);
    const { shareBase } = deps.settings();
    return c.json(
      sharePageSchema.parse({ ...page, items: page.items.map((row) => shareObject(row, shareBase)) }),
      200,
    );
  };
}
