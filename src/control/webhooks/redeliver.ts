// POST /v1/webhook-deliveries/{delivery}/redeliver: posts what was sent once more, at once and
// once, where the webhook leads now, signed anew. It has the id of before: a receiver that had it can tell.

import { z } from '@hono/zod-openapi';
import { deliver } from '../../webhooks/deliver.ts';
import { problems } from '../answers.ts';
import { createCallBudget } from '../call-budget.ts';
import { changeEvent } from '../change-note.ts';
import { operation } from '../operation.ts';
import { deliveryParamsSchema } from './delivery-schema.ts';
import { deliveryResult } from './delivery-view.ts';
import { findDelivery, findWebhook, unknownWebhook } from './find.ts';
import { webhookTestSchema } from './schema.ts';

export const redeliverWebhookDelivery = operation({
  needs: 'webhooks.write',
  route: {
    method: 'post',
    path: '/v1/webhook-deliveries/{delivery}/redeliver',
    operationId: 'redeliverWebhookDelivery',
    summary: 'Redeliver an event to a webhook',
    description:
      'Sends a delivery of the log again, once: the same id and payload, with a new time in the signature, to the webhook’s current URL. It also works while the webhook is disabled. If it succeeds, pending retries of the delivery are dropped.',
    request: {
      params: deliveryParamsSchema,
      body: { required: true, content: { 'application/json': { schema: z.strictObject({}) } } },
    },
    responses: {
      200: {
        description: 'The result of the delivery.',
        content: { 'application/json': { schema: webhookTestSchema } },
      },
      ...problems('delivery_unknown', 'webhook_unknown', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => {
    const countRedelivery = createCallBudget(deps.now, {
      perMinute: () => PER_MINUTE,
      of: 'redeliveries',
      hint: 'Wait a moment. Redeliveries call other servers, so only a few are allowed per minute.',
    });
    return async (c) => {
      const caller = c.get('caller');
      const named = c.req.valid('param').delivery;
      countRedelivery(caller.accountId);
      const { webhooks, deliveryLog, audit } = deps.store;
      const delivery = await findDelivery(deliveryLog, caller.accountId, named);
      const webhook = await findWebhook(webhooks, caller.accountId, delivery.webhookId);
      const secrets = await webhooks.secrets(caller.accountId, webhook.id);
      if (secrets === null) throw unknownWebhook(webhook.id);
      const { id, kind, payload } = delivery;
      const reason = `${webhook.id}: ${id}`;
      await audit.append([changeEvent(deps, caller, { kind: 'webhook.redelivered', reason })]);
      const { fetch } = deps.webhookDialler(caller.accountId);
      const again = { url: webhook.url, secrets, id, kind, payload, number: null };
      const made = await deliver(fetch, again, { now: deps.now(), signal: null });
      await deliveryLog.attempted(delivery, made);
      return c.json(webhookTestSchema.parse(deliveryResult(made)), 200);
    };
  },
});

/** Of an account: somebody who mended a receiver sends what it missed, one by one. */
const PER_MINUTE = 30;
