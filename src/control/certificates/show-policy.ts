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
    summary: 'Show the certificate policy',
    description: 'Shows the certificate policy: what certificate request tokens of the account can request.',
    responses: {
      200: {
        description: 'The policy.',
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
