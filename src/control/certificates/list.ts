// GET /v1/client-certificates: what was issued to whom, who allowed it, when it was last used.

import { parseDuration } from '../../domain/duration.ts';
import { CERTIFICATE_ORDERS } from '../../domain/list-orders.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { CertificateQuery } from '../../store/certificates/certificate.ts';
import { problems } from '../answers.ts';
import { certificatePageSchema, certificateQuerySchema } from './schema.ts';
import { certificateObject } from './view.ts';
import { inputRefused } from '../input-fault.ts';
import { operation } from '../operation.ts';
import { sortedPage, totalOf } from '../sorting.ts';

export const listClientCertificates = operation({
  needs: 'certificates.read',
  route: {
    method: 'get',
    path: '/v1/client-certificates',
    operationId: 'listClientCertificates',
    summary: 'List client certificates',
    description:
      'Lists client certificates, one page at a time: the newest first unless `sort` says otherwise. Filters: person, text, token, state, expiry.',
    request: { query: certificateQuerySchema },
    responses: {
      200: {
        description:
          'A page of certificates. A filtered page can have few or no certificates and still a `nextCursor`.',
        content: { 'application/json': { schema: certificatePageSchema } },
      },
      ...problems(),
    },
  },
  make:
    ({ store, now }) =>
    async (c) => {
      const query = c.req.valid('query');
      const { limit, email, q, token, state = null, expiresWithin } = query;
      const { sort, after, cursorAt } = sortedPage(CERTIFICATE_ORDERS, query);
      const at = now();
      const search =
        expiresWithin === undefined ? { state, endsBefore: null } : expiring(state, expiresWithin, at);
      const wanted = {
        accountId: c.get('caller').accountId,
        emailAddress: email ?? null,
        text: q ?? null,
        tokenId: token ?? null,
        ...search,
        now: at,
        sort,
        after,
        limit,
      };
      const { certificates, next } = await store.certificates.list(wanted);
      const items = certificates.map((certificate) => certificateObject(certificate, at));
      const total = await totalOf({ after, next, count: items.length }, (most) =>
        store.certificates.countFound(wanted, most),
      );
      return c.json(certificatePageSchema.parse({ items, nextCursor: cursorAt(next), total }), 200);
    },
});

/** Throws `validation_failed`. */
function expiring(state: CertificateQuery['state'], within: string, now: number) {
  if (state !== null && state !== 'living')
    throw inputRefused([
      { path: 'expiresWithin', message: `it applies to active certificates, not to ${state}` },
    ]);
  try {
    return { state: 'living', endsBefore: now + parseDuration(within) } as const;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw inputRefused([{ path: 'expiresWithin', message: error.message }]);
  }
}
