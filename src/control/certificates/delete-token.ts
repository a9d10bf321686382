// DELETE /v1/certificate-request-tokens/{token}: it is good for nothing from now on. What it was redeemed for
// stays.

import type { CertificateRequestTokenId } from '../../domain/id.ts';
import { problems } from '../answers.ts';
import { tokenParamsSchema } from './schema.ts';
import { recordedChange } from '../change-note.ts';
import { operation } from '../operation.ts';
import { unknownToken } from './show-token.ts';
import { requestTokenDeleted } from './note.ts';

export const deleteCertificateRequestToken = operation({
  needs: 'certificates.write',
  route: {
    method: 'delete',
    path: '/v1/certificate-request-tokens/{token}',
    operationId: 'deleteCertificateRequestToken',
    summary: 'Delete a certificate request token',
    description: 'Deletes the token. Nobody can redeem it any more. Certificates issued for it stay valid.',
    request: { params: tokenParamsSchema },
    responses: { 204: { description: 'The token is deleted.' }, ...problems('token_unknown') },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const named = c.req.valid('param').token;
    const { certificateRequestTokens: tokens } = deps.store;
    const token = await recordedChange(
      deps,
      caller,
      () => tokens.remove(caller.accountId, named as CertificateRequestTokenId),
      (removed) => removed && requestTokenDeleted(removed),
    );
    if (token === null) throw unknownToken(named);
    return c.body(null, 204);
  },
});
