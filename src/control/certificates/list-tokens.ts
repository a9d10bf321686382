// GET /v1/certificate-request-tokens: those that are good, used and over, without the tokens themselves.

import { problems } from '../answers.ts';
import { tokenPageSchema, tokenQuerySchema } from './schema.ts';
import { tokenObject } from './view.ts';
import { pageOf, readCursor } from '../cursor.ts';
import { operation } from '../operation.ts';

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
        description: 'A page of tokens, sorted by id.',
        content: { 'application/json': { schema: tokenPageSchema } },
      },
      ...problems(),
    },
  },
  make:
    ({ store, now }) =>
    async (c) => {
      const { limit, cursor, state } = c.req.valid('query');
      const found = await store.certificateRequestTokens.list(c.get('caller').accountId, {
        after: readCursor(cursor),
        limit: limit + 1,
        state: state === undefined ? null : { is: state, now: now() },
      });
      const page = pageOf(found, limit, ({ id }) => id);
      return c.json(tokenPageSchema.parse({ ...page, items: page.items.map(tokenObject) }), 200);
    },
});
