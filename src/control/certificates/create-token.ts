// POST /v1/certificate-request-tokens: good for one certificate that says what is written here (contract 2.7,
// 5.4). The token is shown this once, in the fragment of a link, which no server sees.

import { renderSVG } from 'uqr';
import type { MadeToken } from '../../wire/certificate.ts';
import { actorText } from '../../domain/actor.ts';
import { newCertificateRequestToken } from '../../domain/certificate-request-token.ts';
import { newId } from '../../domain/id.ts';
import { minuteText } from '../../domain/minute-text.ts';
import { isRoleAtLeast } from '../../domain/role.ts';
import { type Secret, secretHash } from '../../domain/secret.ts';
import { secretStart } from '../../domain/secret-start.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { CertificateRequestToken } from '../../store/certificates/certificate.ts';
import { problems } from '../answers.ts';
import { parseTokenInput } from './input.ts';
import { madeTokenSchema, newTokenSchema } from './schema.ts';
import { tokenObject } from './view.ts';
import { recordedChange } from '../change-note.ts';
import { operation } from '../operation.ts';
import { requireSecureChannel } from './secure-channel.ts';
import { requestTokenCreated } from './note.ts';

export const createCertificateRequestToken = operation({
  needs: 'certificates.write',
  route: {
    method: 'post',
    path: '/v1/certificate-request-tokens',
    operationId: 'createCertificateRequestToken',
    summary: 'Create a certificate request token',
    description:
      'Creates a single-use token, which is shown only once. Its holder redeems it for a certificate; the private key never leaves their device.',
    request: { body: { required: true, content: { 'application/json': { schema: newTokenSchema } } } },
    responses: {
      201: {
        description: 'The token, shown only once.',
        headers: { Location: { description: 'URL of the new token.', schema: { type: 'string' } } },
        content: { 'application/json': { schema: madeTokenSchema } },
      },
      ...problems(
        'policy_violation',
        'limit_reached',
        'insecure_channel',
        'body_too_large',
        'unsupported_media_type',
      ),
    },
  },
  make: (deps) => async (c) => {
    const { publicUrl } = deps.settings().console;
    requireSecureChannel(publicUrl);
    const caller = c.get('caller');
    const given = c.req.valid('json');
    const apiRole = given.apiRole ?? null;
    // What a certificate allows would live on when it is over.
    if (apiRole !== null && caller.actor.kind === 'certificate')
      throw new ServiceError(
        'not_allowed',
        'Cannot give a certificate a role: the call itself uses a client certificate',
        {
          hint: 'Use an API key, or log in.',
        },
      );
    if (apiRole !== null && apiRole !== 'tunnel' && !isRoleAtLeast(caller.role, apiRole))
      throw new ServiceError(
        'not_allowed',
        `Cannot give a certificate the role ${apiRole}: your role is ${caller.role}`,
      );
    const { policy } = await deps.store.cas.policy(caller.accountId);
    const { subject, validityMs, expiresInMs, renewableMs } = parseTokenInput(given, policy);
    const secret = newCertificateRequestToken();
    const createdAt = deps.now();
    const token: CertificateRequestToken = {
      id: newId('crq'),
      accountId: caller.accountId,
      start: secretStart(secret),
      name: given.name,
      subject,
      validityMs,
      apiRole,
      createdAt,
      createdBy: actorText(caller.actor),
      expiresAt: createdAt + expiresInMs,
      usedAt: null,
      certificateId: null,
      renews: null,
      renewableMs,
    };
    const { certificateRequestTokens: tokens, certificates } = deps.settings().limits;
    const most = { tokens, certificates };
    await recordedChange(
      deps,
      caller,
      () => deps.store.certificateRequestTokens.create(token, secretHash(secret), { most, by: caller }),
      () => requestTokenCreated(token),
    );
    c.header('location', `/v1/certificate-request-tokens/${token.id}`);
    return c.json(madeTokenSchema.parse(madeToken(token, secret, publicUrl)), 201);
  },
});

function madeToken(token: CertificateRequestToken, secret: Secret, publicUrl: URL): MadeToken {
  const text = secret.reveal();
  const redeemUrl = new URL(`/redeem#${text}`, publicUrl).href;
  const message = `Here is your link to a certificate for "${token.subject.commonName}". Open it on the device that will use the certificate:

  ${redeemUrl}

The link works once, until ${minuteText(token.expiresAt)}. Your device creates the private key, which never leaves it.
The first person who uses this link gets the certificate. Do not forward it.
`;
  return { ...tokenObject(token), token: text, redeemUrl, qrCode: renderSVG(redeemUrl), message };
}
