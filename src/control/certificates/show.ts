// GET /v1/client-certificates/{certificate}: one of the account's, whole.

import { ServiceError } from '../../domain/service-error.ts';
import { problems } from '../answers.ts';
import { certificateParamsSchema, certificateSchema } from './schema.ts';
import { certificateObject } from './view.ts';
import { operation } from '../operation.ts';

export const showClientCertificate = operation({
  needs: 'certificates.read',
  route: {
    method: 'get',
    path: '/v1/client-certificates/{certificate}',
    operationId: 'showClientCertificate',
    summary: 'Show a client certificate',
    description: 'Shows one client certificate, by id, serial number or fingerprint.',
    request: { params: certificateParamsSchema },
    responses: {
      200: {
        description: 'The certificate.',
        content: { 'application/json': { schema: certificateSchema } },
      },
      ...problems('certificate_unknown'),
    },
  },
  make:
    ({ store, now }) =>
    async (c) => {
      const named = c.req.valid('param').certificate;
      const found = await store.certificates.find(c.get('caller').accountId, named);
      if (found === null) throw unknownCertificate(named);
      return c.json(certificateSchema.parse(certificateObject(found, now())), 200);
    },
});

export function unknownCertificate(named: string): ServiceError {
  return new ServiceError(
    'certificate_unknown',
    `Cannot find certificate "${named.slice(0, 80)}": no certificate has that id, serial number or fingerprint`,
  );
}
