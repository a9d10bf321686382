// DELETE /v1/webhooks/{webhook}: with everything that was still to be delivered to it.

import { ifMatchParameter, problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { operation } from '../operation.ts';
import { webhookParamsSchema } from './schema.ts';
import { webhookJudge } from './view.ts';
import { findWebhook, unknownWebhook } from './find.ts';
import { webhookDeleted } from './note.ts';
import { remembering } from '../remembering.ts';

export const deleteWebhook = operation({
  needs: 'webhooks.write',
  route: {
    method: 'delete',
    path: '/v1/webhooks/{webhook}',
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Deletes the webhook. Pending deliveries are dropped.',
    parameters: [ifMatchParameter],
    request: { params: webhookParamsSchema },
    responses: {
      204: { description: 'The webhook is deleted.' },
      ...problems('webhook_unknown', 'precondition_failed'),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const named = c.req.valid('param').webhook;
    const { webhooks } = deps.store;
    const { id } = await findWebhook(webhooks, caller.accountId, named);
    const { judge, judged } = remembering(webhookJudge(c.req.header('if-match')));
    const removed = await recordedChange(
      deps,
      caller,
      () => webhooks.remove(caller.accountId, id, judge),
      (isRemoved) => isRemoved && webhookDeleted(judged()),
    );
    if (!removed) throw unknownWebhook(named);
    return c.body(null, 204);
  },
});
