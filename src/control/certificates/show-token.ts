// GET /v1/certificate-request-tokens/{token}: what it is good for, and whether it was used.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import type { CertificateRequestTokenId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import { tokenParamsSchema, tokenSchema } from './schema.ts';
import { tokenObject } from './view.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';

export const showCertificateRequestTokenRoute = createRoute({
  method: 'get',
  path: '/v1/certificate-request-tokens/{token}',
  operationId: 'showCertificateRequestToken',
  summary: 'Show a certificate request token',
  description: 'One certificate request token, by id, without the token itself.',
  ...needs('certificates.read'),
  request: { params: tokenParamsSchema },
  responses: {
    200: { description: 'The token.', content: { 'application/json': { schema: tokenSchema } } },
    ...problems('token_unknown'),
  },
});

export function showCertificateRequestToken({
  store,
}: ControlDeps): RouteHandler<typeof showCertificateRequestTokenRoute, ControlEnv> {
  return async (c) => {
    const named = c.req.valid('param').token;
    const { accountId } = c.get('caller');
    const token = await store.certificateRequestTokens.find(accountId, named as CertificateRequestTokenId);
    if (token === null) throw unknownToken(named);
    return c.json(tokenSchema.parse(tokenObject(token)), 200);
  };
}

export function unknownToken(named: string): ServiceError {
  return new ServiceError(
    'token_unknown',
    `Cannot find token "${named.slice(0, 40)}": there is none of that id`,
  );
}
