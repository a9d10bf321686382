// POST /v1/hosts/{host}/verification: looks for the record in the DNS now. Once it is there, the share
// answers at the host when the answer is sent.

import { z } from '@hono/zod-openapi';
import { etagHeader, problems } from '../answers.ts';
import { confirmLive } from '../confirm-live.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { hostObject, hostParamsSchema, hostSchema, hostVersion } from './schema.ts';
import { proveHost } from './prove.ts';
import { findHost } from './find.ts';

export const verifyHost = operation({
  needs: 'shares.write',
  route: {
    method: 'post',
    path: '/v1/hosts/{host}/verification',
    operationId: 'verifyHost',
    summary: 'Verify a host',
    description:
      'Looks up the DNS record of the host. If the record is there, the share answers at the host from then on.',
    request: {
      params: hostParamsSchema,
      body: { required: true, content: { 'application/json': { schema: z.strictObject({}) } } },
    },
    responses: {
      200: {
        description: 'The host is active: its share answers there.',
        headers: etagHeader,
        content: { 'application/json': { schema: hostSchema } },
      },
      ...problems(
        'host_unknown',
        'share_unknown',
        'host_unproved',
        'host_taken',
        'host_outside_cookie_domain',
        'precondition_failed',
        'body_too_large',
        'unsupported_media_type',
      ),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const claim = await findHost(deps.store.hosts, caller.accountId, c.req.valid('param').host);
    const row = await proveHost(deps, caller, claim);
    await confirmLive(deps);
    c.header('etag', etagOf(hostVersion(row)));
    return c.json(hostSchema.parse(hostObject(row)), 200);
  },
});
