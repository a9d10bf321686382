// PATCH /v1/certificate-policy: what is left out stays. They hold for tokens that are redeemed from now on,
// too.

import { etagHeader, ifMatchParameter, problems } from '../answers.ts';
import { parsePolicy } from './input.ts';
import { policyChangesSchema, policySchema } from './schema.ts';
import { policyObject } from './view.ts';
import { recordedChange } from '../change-note.ts';
import { checkIfMatch, etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { policyModified } from './note.ts';

export const modifyCertificatePolicy = operation({
  needs: 'certificates.write',
  route: {
    method: 'patch',
    path: '/v1/certificate-policy',
    operationId: 'modifyCertificatePolicy',
    summary: 'Change the certificate policy',
    description: 'Changes the fields that are sent. The policy applies to tokens and renewals from then on.',
    parameters: [ifMatchParameter],
    request: { body: { required: true, content: { 'application/json': { schema: policyChangesSchema } } } },
    responses: {
      200: {
        description: 'The new policy.',
        headers: etagHeader,
        content: { 'application/json': { schema: policySchema } },
      },
      ...problems('precondition_failed', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const { accountId } = caller;
    const { cas } = deps.store;
    const before = await cas.policy(accountId);
    checkIfMatch(c.req.header('if-match'), { id: accountId, name: 'the rules', version: before.version });
    const wanted = parsePolicy(c.req.valid('json'), before.policy);
    const { policy, version } = await recordedChange(
      deps,
      caller,
      () => cas.setPolicy(accountId, wanted, before.version),
      () => policyModified(before.policy, wanted),
    );
    c.header('etag', etagOf({ id: accountId, name: 'the rules', version }));
    return c.json(policySchema.parse(policyObject(policy)), 200);
  },
});
