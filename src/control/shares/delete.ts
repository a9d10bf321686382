// DELETE /v1/shares/{share}: its sessions end with it. Nobody else can take the name.

import type { ShareRow } from '../../store/shares/share.ts';
import { ifMatchParameter, problems } from '../answers.ts';
import { authorize } from '../authorize.ts';
import { recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import { checkIfMatch } from '../etag.ts';
import { operation } from '../operation.ts';
import { shareDeleted } from './note.ts';
import { shareParamsSchema } from './schema.ts';
import { findShare, unknownShare } from './find.ts';

export const deleteShare = operation({
  needs: 'shares.serve',
  route: {
    method: 'delete',
    path: '/v1/shares/{share}',
    operationId: 'deleteShare',
    summary: 'Delete a share',
    description:
      'Deletes the share, ends its sessions, and closes its open connections. Its name stays with the account.',
    parameters: [ifMatchParameter],
    request: { params: shareParamsSchema },
    responses: {
      204: { description: 'The share is deleted, and its sessions ended.' },
      ...problems('share_unknown', 'precondition_failed'),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const named = c.req.valid('param').share;
    const row = await findShare(deps.store.shares, caller.accountId, named);
    const ifMatch = c.req.header('if-match');
    let removed = row;
    const judge = (share: ShareRow) => {
      removed = share;
      // An agent takes its own ephemeral share down; any other is for those who may change it.
      if (share.tunnel !== 'ephemeral') authorize(caller, 'shares.write');
      checkIfMatch(ifMatch, share);
    };
    const isRemoved = await recordedChange(
      deps,
      caller,
      () => deps.store.shares.remove(caller.accountId, row.id, judge),
      (isGone) => isGone && shareDeleted(removed),
    );
    if (!isRemoved) throw unknownShare(named);
    await confirmLive(deps);
    return c.body(null, 204);
  },
});
