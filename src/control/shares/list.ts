// GET /v1/shares: the account's shares by name, a page at a time; those that a text, a provider or a state
// finds.

import { problems } from '../answers.ts';
import { cursorOf, readCursor } from '../cursor.ts';
import { operation } from '../operation.ts';
import { sharePageSchema, shareQuerySchema } from './schema.ts';
import { shareObject } from './view.ts';

export const listShares = operation({
  needs: 'shares.read',
  route: {
    method: 'get',
    path: '/v1/shares',
    operationId: 'listShares',
    summary: 'List shares',
    description: 'Lists shares, one page at a time. Filters: text, provider, state.',
    request: { query: shareQuerySchema },
    responses: {
      200: {
        description:
          'A page of shares, sorted by name. A filtered page can have few or no shares and still a `nextCursor`.',
        content: { 'application/json': { schema: sharePageSchema } },
      },
      ...problems(),
    },
  },
  make: (deps) => async (c) => {
    const { limit, cursor, q, provider, state } = c.req.valid('query');
    const { shares, next } = await deps.store.shares.list(c.get('caller').accountId, {
      after: readCursor(cursor),
      limit,
      filter: { text: q ?? null, provider: provider ?? null, state: state ?? null, now: deps.now() },
    });
    const { shareBase } = deps.settings();
    const items = shares.map((row) => shareObject(row, shareBase));
    return c.json(sharePageSchema.parse({ items, nextCursor: next === null ? null : cursorOf(next) }), 200);
  },
});
