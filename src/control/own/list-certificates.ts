// GET /v1/me/certificates: those that say the person's address, of which a provider vouches that it is
// theirs.

import { problems } from '../answers.ts';
import { MAX_PAGE } from '../cursor.ts';
import { operation } from '../operation.ts';
import { standingsOf } from './certificates.ts';
import { ownCertificateListSchema } from './schema.ts';
import { ownCertificateObject } from './view.ts';

export const listOwnCertificates = operation({
  needs: 'oneself',
  route: {
    method: 'get',
    path: '/v1/me/certificates',
    operationId: 'listOwnCertificates',
    summary: 'List your own certificates',
    description:
      'Lists the certificates for the email address that the provider verified: at every account for a provider of the configuration, otherwise at the account that defines the provider.',
    responses: {
      200: {
        description: 'Active and ended certificates, at most 200, the latest expiry first.',
        content: { 'application/json': { schema: ownCertificateListSchema } },
      },
      ...problems(),
    },
  },
  make: (deps) => async (c) => {
    const found = await deps.store.own.certificates(c.get('me'), MAX_PAGE + 1);
    const standing = await standingsOf(deps, found);
    const items = found.slice(0, MAX_PAGE).map((own) => ownCertificateObject(own, standing(own)));
    return c.json(ownCertificateListSchema.parse({ items, more: found.length > MAX_PAGE }), 200);
  },
});
