// GET /v1/hosts/{host}.

import { etagHeader, problems } from '../answers.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { hostObject, hostParamsSchema, hostSchema, hostVersion } from './schema.ts';
import { findHost } from './find.ts';

export const showHost = operation({
  needs: 'shares.read',
  route: {
    method: 'get',
    path: '/v1/hosts/{host}',
    operationId: 'showHost',
    summary: 'Show a host',
    description: 'Shows one host, by id or name. Until it is verified, with the DNS record that verifies it.',
    request: { params: hostParamsSchema },
    responses: {
      200: {
        description: 'The host.',
        headers: etagHeader,
        content: { 'application/json': { schema: hostSchema } },
      },
      ...problems('host_unknown'),
    },
  },
  make:
    ({ store }) =>
    async (c) => {
      const row = await findHost(store.hosts, c.get('caller').accountId, c.req.valid('param').host);
      c.header('etag', etagOf(hostVersion(row)));
      return c.json(hostSchema.parse(hostObject(row)), 200);
    },
});
