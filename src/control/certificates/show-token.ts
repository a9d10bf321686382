// GET /v1/certificate-request-tokens/{token}: what it is good for, and whether it was used.

import type { CertificateRequestTokenId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { problems } from '../answers.ts';
import { tokenParamsSchema, tokenSchema } from './schema.ts';
import { tokenObject } from './view.ts';
import { operation } from '../operation.ts';

export const showCertificateRequestToken = operation({
  needs: 'certificates.read',
  route: {
    method: 'get',
    path: '/v1/certificate-request-tokens/{token}',
    operationId: 'showCertificateRequestToken',
    summary: 'Show a certificate request token',
    description: 'Shows one certificate request token, by id, without the token itself.',
    request: { params: tokenParamsSchema },
    responses: {
      200: { description: 'The token.', content: { 'application/json': { schema: tokenSchema } } },
      ...problems('token_unknown'),
    },
  },
  make:
    ({ store }) =>
    async (c) => {
      const named = c.req.valid('param').token;
      const { accountId } = c.get('caller');
      const token = await store.certificateRequestTokens.find(accountId, named as CertificateRequestTokenId);
      if (token === null) throw unknownToken(named);
      return c.json(tokenSchema.parse(tokenObject(token)), 200);
    },
});

export function unknownToken(named: string): ServiceError {
  return new ServiceError('token_unknown', `Cannot find token "${named.slice(0, 40)}": no token has that id`);
}
