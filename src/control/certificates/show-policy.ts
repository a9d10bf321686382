// GET /v1/certificate-policy: the account's rules for what its certificates say (contract 2.7).

import { etagHeader, problems } from '../answers.ts';
import { policySchema } from './schema.ts';
import { policyObject } from './view.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';

export const showCertificatePolicy = operation({
  needs: 'certificates.read',
  route: {
    method: 'get',
    path: '/v1/certificate-policy',
    operationId: 'showCertificatePolicy',
    summary: 'Show the rules for certificates',
    description: 'What certificate request tokens of the account may ask for.',
    responses: {
      200: {
        description: 'The rules.',
        headers: etagHeader,
        content: { 'application/json': { schema: policySchema } },
      },
      ...problems(),
    },
  },
  make:
    ({ store }) =>
    async (c) => {
      const { accountId } = c.get('caller');
      const { policy, version } = await store.cas.policy(accountId);
      c.header('etag', etagOf({ id: accountId, name: 'the rules', version }));
      return c.json(policySchema.parse(policyObject(policy)), 200);
    },
});
