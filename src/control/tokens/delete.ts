// DELETE /v1/tokens/{serviceToken}: the next request with it is refused, and what it holds open ends.

import { ifMatchParameter, problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import { checkIfMatch } from '../etag.ts';
import { operation } from '../operation.ts';
import { findServiceToken, unknownServiceToken } from './find.ts';
import { serviceTokenParamsSchema, serviceTokenVersion } from './schema.ts';
import { serviceTokenDeleted } from './note.ts';
import { shareNamesOf } from './share-names.ts';

export const deleteServiceToken = operation({
  needs: 'tokens.write',
  route: {
    method: 'delete',
    path: '/v1/tokens/{serviceToken}',
    operationId: 'deleteServiceToken',
    summary: 'Delete a service token',
    description:
      'Deletes the token. It stops working within two seconds on every gateway, and its open requests and WebSockets end.',
    parameters: [ifMatchParameter],
    request: { params: serviceTokenParamsSchema },
    responses: {
      204: { description: 'The token is deleted.' },
      ...problems('service_token_unknown', 'precondition_failed'),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const named = c.req.valid('param').serviceToken;
    const { serviceTokens } = deps.store;
    const found = await findServiceToken(serviceTokens, caller.accountId, named);
    checkIfMatch(c.req.header('if-match'), serviceTokenVersion(found));
    const names = await shareNamesOf(deps.store.shares, [found]);
    // By its id: what may have taken its name meanwhile is another.
    const removed = await recordedChange(
      deps,
      caller,
      () => serviceTokens.remove(caller.accountId, found.id),
      (token) => token && serviceTokenDeleted(token, names),
    );
    if (removed === null) throw unknownServiceToken(named);
    await confirmLive(deps);
    return c.body(null, 204);
  },
});
