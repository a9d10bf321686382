// DELETE /v1/hosts/{host}: the share answers there no more.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { ifMatchParameter, problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import { recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { checkIfMatch } from '../etag.ts';
import { hostParamsSchema, hostVersion } from './schema.ts';
import { unknownHost } from './find.ts';

export const deleteHostRoute = createRoute({
  method: 'delete',
  path: '/v1/hosts/{host}',
  operationId: 'deleteHost',
  summary: 'Delete a host',
  description: 'Releases the host; its share stops answering there.',
  ...needs('shares.write'),
  parameters: [ifMatchParameter],
  request: { params: hostParamsSchema },
  responses: {
    204: { description: 'It is gone. Whoever proves it next has it.' },
    ...problems('host_unknown', 'share_unknown', 'precondition_failed'),
  },
});

export function deleteHost(deps: ControlDeps): RouteHandler<typeof deleteHostRoute, ControlEnv> {
  return async (c) => {
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
      (removed) => removed && { kind: 'host.deleted', shareId: removed.shareId, reason: removed.host },
    );
    if (row === null) throw unknownHost(named);
    if (row.proof !== null) await confirmLive(deps);
    return c.body(null, 204);
  };
}
