// POST /v1/client-certificates/redeem: for whoever holds a request token, without any other credential (contract 2.7). The
// token comes in the body or as bearer, never in an address, which logs would keep.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { newId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { redeem, type Redeemed } from '../../pki/redeem.ts';
import { problems } from '../answers.ts';
import { FOR_ANYONE } from '../authorize.ts';
import { redeemedSchema, redeemSchema } from '../certificate-schema.ts';
import { redeemedObject } from '../certificate-view.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { checkJsonBody } from '../json-body.ts';
import { pkiDeps } from '../pki-deps.ts';
import type { RedeemLimit } from '../redeem-limit.ts';
import { requireSecureChannel } from '../secure-channel.ts';

export const redeemCertificateRoute = createRoute({
  method: 'post',
  path: '/v1/client-certificates/redeem',
  operationId: 'redeemCertificate',
  summary: 'Redeem a certificate request token',
  description: 'The same key gets the same certificate again for ten minutes, should the answer be lost.',
  ...FOR_ANYONE,
  middleware: [
    async (c: { readonly req: Parameters<typeof checkJsonBody>[0] }, next: () => Promise<void>) => {
      await checkJsonBody(c.req);
      await next();
    },
  ],
  request: { body: { required: true, content: { 'application/json': { schema: redeemSchema } } } },
  responses: {
    201: {
      description: 'The certificate.',
      content: { 'application/json': { schema: redeemedSchema } },
    },
    ...problems(
      'token_unknown',
      'token_used',
      'token_expired',
      'csr_refused',
      'policy_violation',
      'insecure_channel',
      'body_too_large',
      'unsupported_media_type',
    ),
  },
});

export function redeemCertificate(
  deps: ControlDeps & { readonly redeemLimit: RedeemLimit },
): RouteHandler<typeof redeemCertificateRoute, ControlEnv> {
  return async (c) => {
    requireSecureChannel(deps.settings().console.publicUrl);
    const given = c.req.valid('json');
    const token = given.token ?? bearerOf(c.req.header('authorization')) ?? '';
    const { address } = c.env;
    deps.redeemLimit.requireFree(address, token);
    try {
      const redeemed = await redeem(pkiDeps(deps), { token, csr: given.csr });
      if (!redeemed.again) await noteIssued(deps, c.env, redeemed);
      return c.json(redeemedSchema.parse(redeemedObject(redeemed)), 201);
    } catch (error) {
      if (error instanceof ServiceError && error.fault.status < 500) deps.redeemLimit.failed(address, token);
      throw error;
    }
  };
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
}

/** It is issued: when the note fails, the log has it. */
async function noteIssued(
  { store, now, log }: ControlDeps,
  { address, requestId }: ControlEnv['Bindings'],
  { certificate, token }: Redeemed,
): Promise<void> {
  const event = {
    id: newId('evt'),
    at: now(),
    kind: 'certificate.issued',
    accountId: certificate.accountId,
    shareId: null,
    sessionId: null,
    provider: null,
    email: certificate.subject.emailAddress,
    actor: `certificate-request-token:${token.id}`,
    ip: address,
    requestId,
    reason: certificate.id,
  } as const;
  await store.audit.append([event]).catch((error: unknown) => {
    log.error({ err: error, event }, 'Cannot write down a certificate');
  });
}
