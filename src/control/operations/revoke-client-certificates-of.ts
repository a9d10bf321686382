// POST /v1/client-certificates/revoke: all of a person, those among them that are renewed at that moment, and the unused
// tokens for more.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import { revocationOfSchema, revokedCertificatesSchema } from '../certificate-schema.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { revokeCertificates } from '../revoke-certificates.ts';

export const revokeClientCertificatesOfRoute = createRoute({
  method: 'post',
  path: '/v1/client-certificates/revoke',
  operationId: 'revokeClientCertificatesOf',
  summary: 'Revoke all client certificates of a person',
  description: 'Deletes the unused certificate request tokens for that address, too.',
  ...needs('certificates.write'),
  request: { body: { required: true, content: { 'application/json': { schema: revocationOfSchema } } } },
  responses: {
    200: {
      description: 'Which were revoked.',
      content: { 'application/json': { schema: revokedCertificatesSchema } },
    },
    ...problems('body_too_large', 'unsupported_media_type'),
  },
});

export function revokeClientCertificatesOf(
  deps: ControlDeps,
): RouteHandler<typeof revokeClientCertificatesOfRoute, ControlEnv> {
  return async (c) => {
    const { emailAddress, reason } = c.req.valid('json');
    const revoked = await revokeCertificates(deps, c.get('caller'), { emailAddress }, reason);
    return c.json({ revoked: revoked.map(({ id }) => id) }, 200);
  };
}
