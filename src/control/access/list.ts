// GET /v1/access-requests: who asked to be let in to the account's shares, newest first.

import { z } from '@hono/zod-openapi';
import { ACCESS_REQUEST_STATES } from '../../domain/access-request-state.ts';
import type { AccessRequestQuery } from '../../store/access/access-request.ts';
import { problems } from '../answers.ts';
import { pageOf, readCursor, unknownCursor } from '../cursor.ts';
import { operation } from '../operation.ts';
import { shareIdNamed } from '../shares/find.ts';
import { pageQuerySchema } from '../shares/schema.ts';
import { shareNamesOf } from '../tokens/share-names.ts';
import { accessRequestObject, accessRequestPageSchema } from './schema.ts';

const accessRequestQuerySchema = pageQuerySchema.extend({
  share: z
    .string()
    .max(300)
    .optional()
    .openapi({ description: 'Only requests for this share: its name or id.' }),
  state: z
    .enum(ACCESS_REQUEST_STATES)
    .default('open')
    .openapi({ description: 'Only requests in this state.' }),
});

export const listAccessRequests = operation({
  needs: 'shares.read',
  route: {
    method: 'get',
    path: '/v1/access-requests',
    operationId: 'listAccessRequests',
    summary: 'List requests for access',
    description:
      'Lists requests for access, the newest first, one page at a time. Requests are kept for 30 days after the person last asked.',
    request: { query: accessRequestQuerySchema },
    responses: {
      200: {
        description: 'A page of requests, newest first.',
        content: { 'application/json': { schema: accessRequestPageSchema } },
      },
      ...problems('share_unknown'),
    },
  },
  make:
    ({ store }) =>
    async (c) => {
      const { limit, cursor, share, state } = c.req.valid('query');
      const { accountId } = c.get('caller');
      const found = await store.accessRequests.list({
        accountId,
        shareId: share === undefined ? null : await shareIdNamed(store.shares, accountId, share),
        state,
        after: placeOf(cursor),
        limit: limit + 1,
      });
      const { items, nextCursor } = pageOf(found, limit, ({ firstAskedAt, id }) => `${firstAskedAt}-${id}`);
      const names = await shareNamesOf(
        store.shares,
        items.map(({ shareId }) => ({ shareIds: [shareId] })),
      );
      const page = { items: items.map((each) => accessRequestObject(each, names)), nextCursor };
      return c.json(accessRequestPageSchema.parse(page), 200);
    },
});

/** A place, not a request: the next page is found when the request is long gone. */
function placeOf(cursor: string | undefined): AccessRequestQuery['after'] {
  const name = readCursor(cursor);
  if (name === null) return null;
  const [, firstAskedAt, id] = /^(\d{1,15})-(arq_[0-9a-z]+)$/.exec(name) ?? [];
  if (firstAskedAt === undefined || id === undefined) throw unknownCursor();
  return { firstAskedAt: Number(firstAskedAt), id };
}
