// GET /v1/certificate-request-tokens: those that are good, used and over, without the tokens themselves.

import { REQUEST_TOKEN_ORDERS } from '../../domain/list-orders.ts';
import { problems } from '../answers.ts';
import { tokenPageSchema, tokenQuerySchema } from './schema.ts';
import { tokenObject } from './view.ts';
import { operation } from '../operation.ts';
import { sortedPage, totalOf } from '../sorting.ts';

export const listCertificateRequestTokens = operation({
  needs: 'certificates.read',
  route: {
    method: 'get',
    path: '/v1/certificate-request-tokens',
    operationId: 'listCertificateRequestTokens',
    summary: 'List certificate request tokens',
    description: 'Lists certificate request tokens, one page at a time, without the tokens themselves.',
    request: { query: tokenQuerySchema },
    responses: {
      200: {
        description:
          'A page of tokens, the newest first unless `sort` says otherwise. A filtered page can have few or no tokens and still a `nextCursor`.',
        content: { 'application/json': { schema: tokenPageSchema } },
      },
      ...problems(),
    },
  },
  make:
    ({ store, now }) =>
    async (c) => {
      const query = c.req.valid('query');
      const { accountId } = c.get('caller');
      const { certificateRequestTokens: tokens } = store;
      const { sort, after, cursorAt } = sortedPage(REQUEST_TOKEN_ORDERS, query);
      const state = query.state === undefined ? null : { is: query.state, now: now() };
      const { rows, next } = await tokens.list(accountId, { sort, after, limit: query.limit, state });
      const total = await totalOf({ after, next, count: rows.length }, (most) =>
        tokens.countFound(accountId, state, most),
      );
      const items = rows.map(tokenObject);
      return c.json(tokenPageSchema.parse({ items, nextCursor: cursorAt(next), total }), 200);
    },
});
