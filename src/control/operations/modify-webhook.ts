// PATCH /v1/webhooks/{webhook}: switches it off, or on again after it was switched off for failing.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { etagHeader, ifMatchParameter, problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import { recordedChange } from '../change-note.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { etagOf } from '../etag.ts';
import { webhookChangesSchema, webhookParamsSchema, webhookSchema } from '../webhook-schema.ts';
import { webhookJudge, webhookObject, webhookVersion } from '../webhook-view.ts';
import { findWebhook, unknownWebhook } from './find-webhook.ts';

export const modifyWebhookRoute = createRoute({
  method: 'patch',
  path: '/v1/webhooks/{webhook}',
  operationId: 'modifyWebhook',
  summary: 'Switch a webhook on or off',
  ...needs('webhooks.write'),
  parameters: [ifMatchParameter],
  request: {
    params: webhookParamsSchema,
    body: { required: true, content: { 'application/json': { schema: webhookChangesSchema } } },
  },
  responses: {
    200: {
      description: 'The webhook as it is now.',
      headers: etagHeader,
      content: { 'application/json': { schema: webhookSchema } },
    },
    ...problems('webhook_unknown', 'precondition_failed', 'body_too_large', 'unsupported_media_type'),
  },
});

export function modifyWebhook(deps: ControlDeps): RouteHandler<typeof modifyWebhookRoute, ControlEnv> {
  return async (c) => {
    const caller = c.get('caller');
    const named = c.req.valid('param').webhook;
    const { enabled } = c.req.valid('json');
    const { webhooks } = deps.store;
    const { id } = await findWebhook(webhooks, caller.accountId, named);
    const judge = webhookJudge(c.req.header('if-match'));
    const reason = `${id}: ${enabled ? 'enabled' : 'disabled'}`;
    const after = await recordedChange(
      deps,
      caller,
      () => webhooks.switch(caller.accountId, id, enabled, judge),
      (switched) => switched && { kind: 'webhook.modified', reason },
    );
    if (after === null) throw unknownWebhook(named);
    c.header('etag', etagOf(webhookVersion(after)));
    return c.json(webhookSchema.parse(webhookObject(after)), 200);
  };
}
