// GET /v1/shares/{share}.

import { etagHeader, problems } from '../answers.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { ownershipOf } from './owner.ts';
import { shareParamsSchema, shareSchema } from './schema.ts';
import { shareObject } from './view.ts';
import { findShare } from './find.ts';

export const showShare = operation({
  needs: 'shares.read',
  route: {
    method: 'get',
    path: '/v1/shares/{share}',
    operationId: 'showShare',
    summary: 'Show a share',
    description: 'Shows one share, by id or name.',
    request: { params: shareParamsSchema },
    responses: {
      200: {
        description: 'The share.',
        headers: etagHeader,
        content: { 'application/json': { schema: shareSchema } },
      },
      ...problems('share_unknown'),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const row = await findShare(deps.store.shares, caller.accountId, c.req.valid('param').share);
    c.header('etag', etagOf(row));
    const ownerIsMember = (await ownershipOf(deps.store.members, caller, [row]))(row);
    const shown = { ...shareObject(row, deps.settings().shareBase), ownerIsMember };
    return c.json(shareSchema.parse(shown), 200);
  },
});
