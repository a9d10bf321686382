// POST /v1/client-certificates/{certificate}/revoke: it opens nothing from now on. Once more changes nothing.

import { problems } from '../answers.ts';
import { certificateParamsSchema, certificateSchema, revocationSchema } from './schema.ts';
import { certificateObject } from './view.ts';
import { operation } from '../operation.ts';
import { revokeCertificates } from './revoking.ts';
import { unknownCertificate } from './show.ts';

export const revokeClientCertificate = operation({
  needs: 'certificates.write',
  route: {
    method: 'post',
    path: '/v1/client-certificates/{certificate}/revoke',
    operationId: 'revokeClientCertificate',
    summary: 'Revoke a client certificate',
    description:
      'Also revokes its renewals, unless the reason is `superseded`. The reason `key_compromise` revokes every certificate with the same key and every certificate issued for tokens that those created, and blocks the key.',
    request: {
      params: certificateParamsSchema,
      body: { required: true, content: { 'application/json': { schema: revocationSchema } } },
    },
    responses: {
      200: {
        description: 'The revoked certificate.',
        content: { 'application/json': { schema: certificateSchema } },
      },
      ...problems('certificate_unknown', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const named = c.req.valid('param').certificate;
    const { certificates } = deps.store;
    const found = await certificates.find(caller.accountId, named);
    if (found === null) throw unknownCertificate(named);
    const revoked = await revokeCertificates(deps, caller, { id: found.id }, c.req.valid('json').reason);
    const shown =
      revoked.find(({ id }) => id === found.id) ??
      (await certificates.find(caller.accountId, found.id)) ??
      found;
    return c.json(certificateSchema.parse(certificateObject(shown, deps.now())), 200);
  },
});
