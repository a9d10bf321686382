// GET /v1/tokens/{serviceToken}: what the token is, never the token itself.

import { etagHeader, problems } from '../answers.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { findServiceToken } from './find.ts';
import {
  serviceTokenObject,
  serviceTokenParamsSchema,
  serviceTokenSchema,
  serviceTokenVersion,
} from './schema.ts';
import { shareNamesOf } from './share-names.ts';

export const showServiceToken = operation({
  needs: 'tokens.read',
  route: {
    method: 'get',
    path: '/v1/tokens/{serviceToken}',
    operationId: 'showServiceToken',
    summary: 'Show a service token',
    description: 'Shows one service token, by id or name, without the token itself.',
    request: { params: serviceTokenParamsSchema },
    responses: {
      200: {
        description: 'The token, without the token itself.',
        headers: etagHeader,
        content: { 'application/json': { schema: serviceTokenSchema } },
      },
      ...problems('service_token_unknown'),
    },
  },
  make:
    ({ store }) =>
    async (c) => {
      const { serviceToken } = c.req.valid('param');
      const row = await findServiceToken(store.serviceTokens, c.get('caller').accountId, serviceToken);
      const names = await shareNamesOf(store.shares, [row]);
      c.header('etag', etagOf(serviceTokenVersion(row)));
      return c.json(serviceTokenSchema.parse(serviceTokenObject(row, names)), 200);
    },
});
