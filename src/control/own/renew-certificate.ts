// POST /v1/me/certificates/{certificate}/renewal: a link that is good once, for one that takes the
// certificate's place and says the same. Only near its end, where the account's rules allow it, and never for
// one with a role at the control API. The key is made where the link is opened.

import { z } from '@hono/zod-openapi';
import { newCertificateRequestToken } from '../../domain/certificate-request-token.ts';
import { type CertificatePolicy, policyFaults } from '../../domain/certificate.ts';
import { newId } from '../../domain/id.ts';
import { secretHash } from '../../domain/secret.ts';
import { secretStart } from '../../domain/secret-start.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { renewalClosed, requireRenewable as requireLine } from '../../pki/redeem.ts';
import type {
  KeptCertificate,
  NewRenewalToken,
  RenewalAnswer,
} from '../../store/certificates/certificate.ts';
import { problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { operation } from '../operation.ts';
import { holderOf, requireOwnCertificate } from './certificates.ts';
import { ownCertificateParamsSchema, ownRenewalSchema } from './schema.ts';
import { renewalOf } from './view.ts';
import { createRenewalLimit } from './renewal-limit.ts';
import { requireSecureChannel } from '../certificates/secure-channel.ts';
import { requestTokenCreated } from '../certificates/note.ts';
import { timeText } from '../time-text.ts';

const nothingSchema = z.strictObject({}).openapi('OwnRenewalInput');

export const renewOwnCertificate = operation({
  needs: 'oneself',
  route: {
    method: 'post',
    path: '/v1/me/certificates/{certificate}/renewal',
    operationId: 'renewOwnCertificate',
    summary: 'Renew one of your own certificates',
    description:
      'Returns a link to a new certificate with the same subject. Works in the last third of the lifetime, if the certificate policy sets `renewalByLogin`. A new link replaces the previous one.',
    request: {
      params: ownCertificateParamsSchema,
      body: { required: true, content: { 'application/json': { schema: nothingSchema } } },
    },
    responses: {
      201: {
        description: 'The link, shown only once.',
        content: { 'application/json': { schema: ownRenewalSchema } },
      },
      ...problems(
        'certificate_unknown',
        'policy_violation',
        'renewal_refused',
        'insecure_channel',
        'body_too_large',
        'unsupported_media_type',
      ),
    },
  },
  make: (deps) => {
    const renewalLimit = createRenewalLimit(deps.now);
    return async (c) => {
      const { publicUrl } = deps.settings().console;
      requireSecureChannel(publicUrl);
      const me = c.get('me');
      const own = await requireOwnCertificate(deps, me, c.req.valid('param').certificate);
      const { certificate } = own;
      const { policy } = await deps.store.cas.policy(certificate.accountId);
      requireRenewable(certificate, policy, deps.now());
      renewalLimit(certificate.id);
      const secret = newCertificateRequestToken();
      const token = tokenFor(certificate, policy, { now: deps.now(), start: secretStart(secret) });
      const answer = await recordedChange(
        deps,
        holderOf(own, me),
        () => deps.store.certificateRequestTokens.createRenewal(token, secretHash(secret)),
        (made) => made === 'made' && requestTokenCreated(token),
      );
      if (answer !== 'made') throw renewalRefused(WHY_NOT[answer]);
      const url = new URL(`/redeem#${secret.reveal()}`, publicUrl).href;
      const expiresAt = timeText(token.expiresAt);
      return c.json(ownRenewalSchema.parse({ url, expiresAt }), 201);
    };
  },
});

/** Throws `policy_violation` or `renewal_refused`. Whether it was renewed already is told with the token. */
function requireRenewable(certificate: KeptCertificate, policy: CertificatePolicy, now: number): void {
  if (!policy.renewalByLogin) throw renewalClosed();
  const [fault] = policyFaults(policy, { subject: certificate.subject, validityMs: 0 });
  if (fault !== undefined)
    throw new ServiceError(
      'policy_violation',
      `Cannot renew the certificate: the certificate policy changed (${fault.path}: ${fault.message})`,
      { hint: 'Ask an admin for a link to a certificate that follows the policy.' },
    );
  if (certificate.apiRole !== null)
    throw renewalRefused('it has an API role, which a login alone does not grant');
  const renewal = renewalOf(certificate, { policy, now, isRenewed: false });
  if (certificate.revokedAt === null && certificate.notAfter > now) requireLine(policy, certificate);
  if (renewal === 'later') throw renewalRefused('it does not expire soon');
  if (renewal !== 'now') throw renewalRefused(WHY_NOT.over);
}

function renewalRefused(found: string): ServiceError {
  return new ServiceError('renewal_refused', `Cannot renew the certificate: ${found}`, {
    hint: 'If you need a new certificate, ask an admin for a link.',
  });
}

/**
 * Whoever allowed the first one answers for this one, too: it is worth nothing once they are no admin any
 * more.
 */
function tokenFor(
  certificate: KeptCertificate,
  policy: CertificatePolicy,
  { now, start }: { readonly now: number; readonly start: string },
): NewRenewalToken {
  return {
    id: newId('crq'),
    accountId: certificate.accountId,
    start,
    name: certificate.name,
    subject: certificate.subject,
    validityMs: Math.min(certificate.validityMs, policy.maxValidityMs ?? certificate.validityMs),
    apiRole: null,
    createdAt: now,
    createdBy: certificate.allowedBy,
    expiresAt: Math.min(now + LINK_LIFETIME_MS, certificate.notAfter),
    renews: certificate.id,
    // Its certificate goes on with the line of this one.
    renewableMs: certificate.renewableMs,
  };
}

const WHY_NOT: Readonly<Record<Exclude<RenewalAnswer, 'made'>, string>> = {
  over: 'it was revoked, or has expired',
  renewed: 'it was already renewed, and the new certificate is valid',
  maker_gone: 'the person who allowed it can no longer allow certificates',
};
/** For somebody who is there, to open it on the device that will use it. */
const LINK_LIFETIME_MS = 60 * 60_000;
