// POST /v1/client-certificates/revoke: all of a person, those among them that are renewed at that moment, and
// the unused tokens for more; or one that the store may not know.

import type { RevocationOfInput } from '../../wire/certificate.ts';
import { problems } from '../answers.ts';
import { revocationOfSchema, revokedCertificatesSchema } from './schema.ts';
import { inputRefused } from '../input-fault.ts';
import { operation } from '../operation.ts';
import type { CertificateName } from './named.ts';
import { revokeCertificates } from './revoking.ts';
import { revokeNamed } from './revoke-named.ts';

export const revokeClientCertificatesOf = operation({
  needs: 'certificates.write',
  route: {
    method: 'post',
    path: '/v1/client-certificates/revoke',
    operationId: 'revokeClientCertificatesOf',
    summary: 'Revoke all client certificates of a person, or one by serial number or PEM',
    description:
      'By email address: also deletes the unused certificate request tokens for that address. By serial number or PEM: also revokes a certificate that a restored backup does not contain. A serial number does not name its certificate authority, so every one of the account revokes it. Revoking again changes nothing.',
    request: { body: { required: true, content: { 'application/json': { schema: revocationOfSchema } } } },
    responses: {
      200: {
        description: 'The revoked certificates.',
        content: { 'application/json': { schema: revokedCertificatesSchema } },
      },
      ...problems('certificate_unknown', 'limit_reached', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => async (c) => {
    const { reason, ...given } = c.req.valid('json');
    const caller = c.get('caller');
    const named = onlyOne(given);
    const { certificates, serials } =
      'emailAddress' in named
        ? { certificates: await revokeCertificates(deps, caller, named, reason), serials: [] }
        : await revokeNamed(deps, caller, named, reason);
    return c.json({ revoked: certificates.map(({ id }) => id), serials: [...serials] }, 200);
  },
});

/** Throws `validation_failed`: revoking less than was meant must not look done. */
function onlyOne({
  emailAddress,
  serial,
  certificate,
}: Omit<RevocationOfInput, 'reason'>): CertificateName | { readonly emailAddress: string } {
  const given = [emailAddress, serial, certificate].filter((each) => each !== undefined).length;
  if (given === 1 && emailAddress !== undefined) return { emailAddress };
  if (given === 1 && serial !== undefined) return { serial };
  if (given === 1 && certificate !== undefined) return { certificate };
  throw inputRefused([{ path: '', message: 'give exactly one of emailAddress, serial and certificate' }]);
}
