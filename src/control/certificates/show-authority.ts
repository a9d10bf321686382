// GET /v1/account-ca: the authorities that the account trusts, the one that issues first. Makes the first
// one.

import { authoritiesOf } from '../../pki/authority.ts';
import { problems } from '../answers.ts';
import { authoritiesSchema } from './schema.ts';
import { shownAuthority } from './authority-view.ts';
import { operation } from '../operation.ts';
import { pkiUrls } from './pki-deps.ts';

export const showAccountCa = operation({
  needs: 'certificates.read',
  route: {
    method: 'get',
    path: '/v1/account-ca',
    operationId: 'showAccountCa',
    summary: 'Show the certificate authorities',
    description:
      'Shows the certificate authorities of the account: the one that issues, and those still trusted, each with its CRL.',
    responses: {
      200: {
        description: 'The certificate authorities.',
        content: { 'application/json': { schema: authoritiesSchema } },
      },
      ...problems('account_unknown'),
    },
  },
  make: (deps) => async (c) => {
    const { accountId } = c.get('caller');
    const items = await Promise.all(
      (await authoritiesOf(deps, accountId)).map((ca) => shownAuthority(deps, ca)),
    );
    return c.json(authoritiesSchema.parse({ items, ...pkiUrls(deps, accountId) }), 200);
  },
});
