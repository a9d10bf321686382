// POST /v1/account-ca/rotate: a new authority issues from now on. What the one before issued stays good until
// it is over.

import { z } from '@hono/zod-openapi';
import { rotateAuthority } from '../../pki/authority.ts';
import { problems } from '../answers.ts';
import { authoritySchema } from './schema.ts';
import { shownAuthority } from './authority-view.ts';
import { recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import { operation } from '../operation.ts';
import { authorityRotated } from './note.ts';

export const rotateAccountCa = operation({
  needs: 'certificates.write',
  route: {
    method: 'post',
    path: '/v1/account-ca/rotate',
    operationId: 'rotateAccountCa',
    summary: 'Rotate the certificate authority',
    description:
      'Creates a certificate authority, which issues from then on. At most five rotations within 24 hours; after that, the response is 429 with a Retry-After.',
    request: {
      body: { required: true, content: { 'application/json': { schema: z.strictObject({}) } } },
    },
    responses: {
      200: {
        description: 'The new certificate authority.',
        content: { 'application/json': { schema: authoritySchema } },
      },
      ...problems('account_unknown', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const ca = await recordedChange(
      deps,
      caller,
      () => rotateAuthority(deps, caller.accountId),
      authorityRotated,
    );
    await confirmLive(deps);
    return c.json(authoritySchema.parse(await shownAuthority(deps, ca)), 200);
  },
});
