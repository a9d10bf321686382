// The schemas that check requests about webhooks, and from which the API's description is made (DESIGN 2.5).

import { z } from '@hono/zod-openapi';
import type {
  MadeWebhook,
  NewWebhookObject,
  WebhookChanges,
  WebhookObject,
  WebhookPage,
  WebhookTest,
} from '../client/webhook-object.ts';
import { AUDIT_KINDS } from '../domain/audit-kind.ts';

const kind = z.enum(AUDIT_KINDS);

export const newWebhookSchema = z
  .strictObject({
    url: z.string().max(2_000).openapi({
      description: 'Where events are posted: https, or http on this machine when the operator allows it.',
      example: 'https://hooks.example.com/doorward',
    }),
    name: z.string().min(1).max(100).optional().openapi({ description: 'For people.' }),
    kinds: z
      .array(kind)
      .max(AUDIT_KINDS.length)
      .optional()
      .openapi({ description: 'The kinds of audit events that are posted; none: all.' }),
  })
  .openapi('NewWebhook') satisfies z.ZodType<NewWebhookObject>;

export const webhookChangesSchema = z
  .strictObject({
    enabled: z.boolean().openapi({ description: 'Switched off, what waits is dropped.' }),
  })
  .openapi('WebhookChanges') satisfies z.ZodType<WebhookChanges>;

const webhookFields = {
  id: z.string(),
  name: z.string().nullable(),
  url: z.string(),
  kinds: z.array(kind),
  enabled: z.boolean().openapi({ description: 'False once it was switched off, or failed for three days.' }),
  createdAt: z.iso.datetime(),
  failingSince: z.iso
    .datetime()
    .nullable()
    .openapi({ description: 'Since when every delivery failed; null while they arrive.' }),
  lastFailure: z.string().nullable(),
  lastDeliveredAt: z.iso.datetime().nullable(),
  waiting: z.number().int().openapi({ description: 'Deliveries that are still to be made.' }),
};

export const webhookSchema = z.object(webhookFields).openapi('Webhook') satisfies z.ZodType<WebhookObject>;

export const madeWebhookSchema = z
  .object({
    ...webhookFields,
    secret: z.string().openapi({ description: 'What deliveries are signed with. Shown this once.' }),
  })
  .openapi('MadeWebhook') satisfies z.ZodType<MadeWebhook>;

export const webhookPageSchema = z
  .object({ items: z.array(webhookSchema), nextCursor: z.string().nullable() })
  .openapi('WebhookPage') satisfies z.ZodType<WebhookPage>;

export const webhookTestSchema = z
  .object({
    delivered: z.boolean(),
    status: z.number().int().nullable().openapi({ description: "Of the receiver's answer; null for none." }),
    reason: z.string().nullable().openapi({ description: 'Why it was not delivered.' }),
  })
  .openapi('WebhookTest') satisfies z.ZodType<WebhookTest>;

export const webhookParamsSchema = z.strictObject({
  webhook: z
    .string()
    .max(100)
    .openapi({ param: { name: 'webhook', in: 'path' }, description: 'Its id.' }),
});
