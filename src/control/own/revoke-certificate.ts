// POST /v1/me/certificates/{certificate}/revoke: the holder's own word that it opens nothing from now on.
// Once more changes nothing.

import { problems } from '../answers.ts';
import { revocationSchema } from '../certificates/schema.ts';
import { operation } from '../operation.ts';
import { holderOf, requireOwnCertificate, standingsOf } from './certificates.ts';
import { ownCertificateParamsSchema, ownCertificateSchema } from './schema.ts';
import { ownCertificateObject } from './view.ts';
import { revokeCertificates } from '../certificates/revoking.ts';

export const revokeOwnCertificate = operation({
  needs: 'oneself',
  route: {
    method: 'post',
    path: '/v1/me/certificates/{certificate}/revoke',
    operationId: 'revokeOwnCertificate',
    summary: 'Revoke one of your own certificates',
    description:
      'Also revokes its renewals, unless the reason is `superseded`. The reason `key_compromise` revokes every certificate with the same key and email address, and blocks the key unless someone else has a certificate with it.',
    request: {
      params: ownCertificateParamsSchema,
      body: { required: true, content: { 'application/json': { schema: revocationSchema } } },
    },
    responses: {
      200: {
        description: 'The revoked certificate.',
        content: { 'application/json': { schema: ownCertificateSchema } },
      },
      ...problems('certificate_unknown', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => async (c) => {
    const me = c.get('me');
    const { certificate: id } = c.req.valid('param');
    const own = await requireOwnCertificate(deps, me, id);
    const chosen = { id: own.certificate.id, within: own.certificate.subject.emailAddress ?? '' };
    await revokeCertificates(deps, holderOf(own, me), chosen, c.req.valid('json').reason);
    const now = await requireOwnCertificate(deps, me, id);
    const standing = await standingsOf(deps, [now]);
    return c.json(ownCertificateSchema.parse(ownCertificateObject(now, standing(now))), 200);
  },
});
