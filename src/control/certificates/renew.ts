// POST /v1/client-certificates/renew: for whoever holds a certificate that is still good, over the connection
// that shows it. The new one says the same, and is good as long as the first was allowed to be.

import { ServiceError } from '../../domain/service-error.ts';
import { renew } from '../../pki/renew.ts';
import { problems } from '../answers.ts';
import { heldCertificate, requireNoForeignPage, rightsDeps, rightsNow } from './holder.ts';
import { redeemedSchema, renewalSchema } from './schema.ts';
import { redeemedObject } from './view.ts';
import { recordedChange } from '../change-note.ts';
import { operation } from '../operation.ts';
import { knownAtGates } from './known-at-gates.ts';
import { pkiDeps } from './pki-deps.ts';
import { certificateRenewed } from './note.ts';

export const renewCertificate = operation({
  needs: 'holder',
  route: {
    method: 'post',
    path: '/v1/client-certificates/renew',
    operationId: 'renewCertificate',
    summary: 'Renew a client certificate',
    description:
      'Renews the client certificate of this connection. Renewing again with the same key within ten minutes returns the same certificate.',
    request: { body: { required: true, content: { 'application/json': { schema: renewalSchema } } } },
    responses: {
      201: {
        description: 'The new certificate.',
        content: { 'application/json': { schema: redeemedSchema } },
      },
      ...problems(
        'csr_refused',
        'policy_violation',
        'limit_reached',
        'body_too_large',
        'unsupported_media_type',
      ),
    },
  },
  make: (deps) => async (c) => {
    const { clientCertificates, console } = deps.settings();
    if (clientCertificates === 'none')
      throw new ServiceError(
        'certificate_required',
        'Cannot renew: this API does not accept client certificates',
        {
          hint: 'An operator can set control.client_certificates to optional or required.',
        },
      );
    const held = await heldCertificate(deps, c.env);
    requireNoForeignPage(c.req, console.publicUrl);
    deps.tries.count(held.tokenId ?? held.id);
    if (held.apiRole !== null && (await rightsNow(rightsDeps(deps), held)) === null)
      throw new ServiceError(
        'not_allowed',
        'Cannot renew: the person who gave the certificate its role no longer has that role',
        {
          hint: 'Ask an admin for a new token.',
        },
      );
    const csr = c.req.valid('json').csr ?? null;
    const { accountId } = held;
    const by = { ...c.env, accountId, actor: { kind: 'certificate', id: held.id } } as const;
    const renewed = await recordedChange(
      deps,
      by,
      () => renew(pkiDeps(deps), held, csr),
      ({ certificate, again }) => !again && certificateRenewed(certificate),
    );
    await knownAtGates(deps, renewed.certificate);
    return c.json(redeemedSchema.parse(redeemedObject(renewed)), 201);
  },
});
