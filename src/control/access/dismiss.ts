// POST /v1/access-requests/{accessRequest}/dismiss: who asked is not let in, and is not heard for a week.

import { z } from '@hono/zod-openapi';
import { problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { operation } from '../operation.ts';
import { shareNamesOf } from '../tokens/share-names.ts';
import { decidedAlready, findOpenRequest } from './find.ts';
import { accessRequestObject, accessRequestParamsSchema, accessRequestSchema } from './schema.ts';

export const dismissAccessRequest = operation({
  needs: 'shares.write',
  route: {
    method: 'post',
    path: '/v1/access-requests/{accessRequest}/dismiss',
    operationId: 'dismissAccessRequest',
    summary: 'Dismiss a request for access',
    description:
      'Dismisses the request. The person is not told, and cannot request access to the share again for 7 days.',
    request: {
      params: accessRequestParamsSchema,
      body: { required: true, content: { 'application/json': { schema: z.strictObject({}) } } },
    },
    responses: {
      200: {
        description: 'The dismissed request.',
        content: { 'application/json': { schema: accessRequestSchema } },
      },
      ...problems(
        'access_request_unknown',
        'access_request_decided',
        'body_too_large',
        'unsupported_media_type',
      ),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const { accountId } = caller;
    const { accessRequests, shares } = deps.store;
    const { id, shareId, provider, email } = await findOpenRequest(
      accessRequests,
      accountId,
      c.req.valid('param').accessRequest,
    );
    const nameOf = await shareNamesOf(shares, [{ shareIds: [shareId] }]);
    const at = deps.now();
    const dismissed = await recordedChange(
      deps,
      caller,
      () => accessRequests.decide({ accountId, id, state: 'dismissed', at, grantedUntil: null }),
      (decided) =>
        decided && { kind: 'access.dismissed', shareId, provider, email, reason: nameOf(shareId) ?? null },
    );
    if (dismissed === null) throw decidedAlready();
    return c.json(accessRequestSchema.parse(accessRequestObject(dismissed, nameOf)), 200);
  },
});
