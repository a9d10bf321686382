// DELETE /v1/hosts/{host}: the share answers there no more.

import { ifMatchParameter, problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import { checkIfMatch } from '../etag.ts';
import { operation } from '../operation.ts';
import { hostParamsSchema, hostVersion } from './schema.ts';
import { unknownHost } from './find.ts';
import { hostDeleted } from './note.ts';

export const deleteHost = operation({
  needs: 'shares.write',
  route: {
    method: 'delete',
    path: '/v1/hosts/{host}',
    operationId: 'deleteHost',
    summary: 'Delete a host',
    description: 'Releases the host; its share stops answering there.',
    parameters: [ifMatchParameter],
    request: { params: hostParamsSchema },
    responses: {
      204: { description: 'The host is deleted. The next account that verifies it owns it.' },
      ...problems('host_unknown', 'share_unknown', 'precondition_failed'),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const named = c.req.valid('param').host;
    const ifMatch = c.req.header('if-match');
    const at = deps.now();
    const row = await recordedChange(
      deps,
      caller,
      () =>
        deps.store.hosts.remove(caller.accountId, named, at, (host) =>
          checkIfMatch(ifMatch, hostVersion(host)),
        ),
      (removed) => removed && hostDeleted(removed),
    );
    if (row === null) throw unknownHost(named);
    if (row.proof !== null) await confirmLive(deps);
    return c.body(null, 204);
  },
});
