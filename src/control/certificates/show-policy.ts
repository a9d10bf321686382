// GET /v1/certificate-policy: the account's rules for what its certificates say (contract 2.7).

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { etagHeader, problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import { policySchema } from './schema.ts';
import { policyObject } from './view.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { etagOf } from '../etag.ts';

export const showCertificatePolicyRoute = createRoute({
  method: 'get',
  path: '/v1/certificate-policy',
  operationId: 'showCertificatePolicy',
  summary: 'Show the rules for certificates',
  description: 'What certificate request tokens of the account may ask for.',
  ...needs('certificates.read'),
  responses: {
    200: {
      description: 'The rules.',
      headers: etagHeader,
      content: { 'application/json': { schema: policySchema } },
    },
    ...problems(),
  },
});

export function showCertificatePolicy({
  store,
}: ControlDeps): RouteHandler<typeof showCertificatePolicyRoute, ControlEnv> {
  return async (c) => {
    const { accountId } = c.get('caller');
    const { policy, version } = await store.cas.policy(accountId);
    c.header('etag', etagOf({ id: accountId, name: 'the rules', version }));
    return c.json(policySchema.parse(policyObject(policy)), 200);
  };
}
