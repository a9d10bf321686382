// POST /v1/webhooks/{webhook}/test: writes down a test, posts that event to the webhook at once, and says how
// it went. It is tried once, also when the webhook is switched off.

import { z } from '@hono/zod-openapi';
import { newId } from '../../domain/id.ts';
import { deliver, payloadOf } from '../../webhooks/deliver.ts';
import { problems } from '../answers.ts';
import { changeEvent } from '../change-note.ts';
import { operation } from '../operation.ts';
import { createTestBudget } from '../test-budget.ts';
import { webhookParamsSchema, webhookTestSchema } from './schema.ts';
import { deliveryResult } from './delivery-view.ts';
import { findWebhook, unknownWebhook } from './find.ts';

export const testWebhook = operation({
  needs: 'webhooks.write',
  route: {
    method: 'post',
    path: '/v1/webhooks/{webhook}/test',
    operationId: 'testWebhook',
    summary: 'Test a webhook',
    description: 'Sends one event of the kind `webhook.tested` and returns the receiver’s response.',
    request: {
      params: webhookParamsSchema,
      body: { required: true, content: { 'application/json': { schema: z.strictObject({}) } } },
    },
    responses: {
      200: {
        description: 'The result of the delivery.',
        content: { 'application/json': { schema: webhookTestSchema } },
      },
      ...problems('webhook_unknown', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => {
    const countTest = createTestBudget(deps.now);
    return async (c) => {
      const caller = c.get('caller');
      const named = c.req.valid('param').webhook;
      countTest(caller.accountId);
      const { webhooks, audit, deliveryLog } = deps.store;
      const webhook = await findWebhook(webhooks, caller.accountId, named);
      const secrets = await webhooks.secrets(caller.accountId, webhook.id);
      if (secrets === null) throw unknownWebhook(named);
      const event = changeEvent(deps, caller, { kind: 'webhook.tested', reason: webhook.id });
      await audit.append([event]);
      const { fetch } = deps.webhookDialler(caller.accountId);
      const about = { id: newId('dlv'), kind: event.kind, payload: payloadOf(event) };
      const delivery = { ...about, url: webhook.url, secrets, number: null };
      const made = await deliver(fetch, delivery, { now: deps.now(), signal: null });
      const { id: webhookId, accountId } = webhook;
      await deliveryLog.attempted({ ...about, webhookId, accountId, eventId: event.id }, made);
      return c.json(webhookTestSchema.parse(deliveryResult(made)), 200);
    };
  },
});
