// POST /v1/client-certificates/redeem: for whoever holds a request token, without any other credential
// (contract 2.7). The token comes in the body or as bearer, never in an address, which logs would keep.

import {
  type AuditEvent,
  auditEvent,
  type Happening,
  type KindAndChanges,
} from '../../domain/audit-event.ts';
import { parseCertificateRequestToken } from '../../domain/certificate-request-token.ts';
import type { Certificate } from '../../domain/certificate.ts';
import { secretHash } from '../../domain/secret.ts';
import { type FaultCode, ServiceError } from '../../domain/service-error.ts';
import { redeem, type Redeemed } from '../../pki/redeem.ts';
import type { CertificateRequestToken } from '../../store/certificates/certificate.ts';
import { problems } from '../answers.ts';
import { redeemedSchema, redeemSchema } from './schema.ts';
import { redeemedObject } from './view.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { operation } from '../operation.ts';
import { knownAtGates } from './known-at-gates.ts';
import { pkiDeps } from './pki-deps.ts';
import { requireSecureChannel } from './secure-channel.ts';
import { certificateMade } from './note.ts';

export const redeemCertificate = operation({
  needs: 'anyone',
  route: {
    method: 'post',
    path: '/v1/client-certificates/redeem',
    operationId: 'redeemCertificate',
    summary: 'Redeem a certificate request token',
    description:
      'Redeems a token for a certificate. Redeeming again with the same key within ten minutes returns the same certificate.',
    request: { body: { required: true, content: { 'application/json': { schema: redeemSchema } } } },
    responses: {
      201: {
        description: 'The new certificate.',
        content: { 'application/json': { schema: redeemedSchema } },
      },
      ...problems(
        'token_unknown',
        'token_used',
        'token_expired',
        'csr_refused',
        'policy_violation',
        'limit_reached',
        'insecure_channel',
        'body_too_large',
        'unsupported_media_type',
      ),
    },
  },
  make: (deps) => async (c) => {
    requireSecureChannel(deps.settings().console.publicUrl);
    const given = c.req.valid('json');
    const token = given.token ?? bearerOf(c.req.header('authorization')) ?? '';
    const { address } = c.env;
    try {
      const eventsOf = (issued: Issued) => [eventOf(deps, c.env, issuedNote(issued))];
      const countTry = ({ id }: CertificateRequestToken): void => deps.tries.count(id);
      const redeemed = await redeem(pkiDeps(deps), { token, csr: given.csr, countTry, eventsOf });
      await knownAtGates(deps, redeemed.certificate);
      return c.json(redeemedSchema.parse(redeemedObject(redeemed)), 201);
    } catch (error) {
      if (error instanceof ServiceError && error.fault.status < 500) {
        if (error.code === 'token_unknown') deps.tries.countStranger(address);
        if (error.code !== 'rate_limited')
          await noteRefused(deps, c.env, { text: token, reason: error.code });
      }
      throw error;
    }
  },
});

function bearerOf(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
}

type RedemptionNote = Pick<Happening, 'accountId' | 'email' | 'actor' | 'reason'> & KindAndChanges;

type Issued = Pick<Redeemed, 'token'> & { readonly certificate: Certificate };

function issuedNote({ certificate, token }: Issued): RedemptionNote {
  const changes = certificateMade(certificate);
  return { ...aboutToken(token), kind: 'certificate.issued', reason: certificate.id, changes };
}

/** What is no token of ours is of no account that could be told. */
async function noteRefused(
  deps: ControlDeps,
  bindings: ControlEnv['Bindings'],
  { text, reason }: { readonly text: string; readonly reason: FaultCode },
): Promise<void> {
  const secret = parseCertificateRequestToken(text);
  if (secret === null) return;
  try {
    const token = await deps.store.certificateRequestTokens.findByHash(secretHash(secret));
    if (token === null) return;
    const event = eventOf(deps, bindings, { ...aboutToken(token), kind: 'certificate.refused', reason });
    await deps.store.audit.append([event]);
  } catch (error) {
    deps.log.error({ err: error, reason }, 'Cannot record a refused redemption');
  }
}

function aboutToken({ id, accountId, subject }: CertificateRequestToken) {
  return { accountId, email: subject.emailAddress, actor: { kind: 'token', id } } as const;
}

function eventOf(
  { now }: ControlDeps,
  { address, requestId }: ControlEnv['Bindings'],
  happened: RedemptionNote,
): AuditEvent {
  return auditEvent({ ...happened, at: now(), ip: address, requestId });
}
