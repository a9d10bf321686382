// The schemas that check requests about webhooks, and from which the API's description is made (DESIGN 2.5).

import { z } from '@hono/zod-openapi';
import type {
  MadeWebhook,
  NewWebhookObject,
  WebhookChanges,
  WebhookObject,
  WebhookPage,
  WebhookRotation,
  WebhookTest,
} from '../../wire/webhook.ts';
import { AUDIT_KINDS } from '../../domain/audit-kind.ts';
import { DURATION_OR_NONE } from '../text-patterns.ts';

const kind = z.enum(AUDIT_KINDS);

const url = z.string().max(2_000).openapi({
  description: 'Where events are posted: https, or http on this machine when the operator allows it.',
  example: 'https://hooks.example.com/doorward',
});
const name = z.string().min(1).max(100);
const kinds = z
  .array(kind)
  .max(AUDIT_KINDS.length)
  .optional()
  .openapi({ description: 'The kinds of audit events that are posted; none: all.' });

export const newWebhookSchema = z
  .strictObject({ url, name: name.optional().openapi({ description: 'For people.' }), kinds })
  .openapi('NewWebhook') satisfies z.ZodType<NewWebhookObject>;

export const webhookChangesSchema = z
  .strictObject({
    url: url.optional(),
    name: name.nullable().optional().openapi({ description: 'For people; null takes it away.' }),
    kinds,
    enabled: z.boolean().optional().openapi({ description: 'Switched off, what waits is dropped.' }),
  })
  .openapi('WebhookChanges') satisfies z.ZodType<WebhookChanges>;

export const webhookRotationSchema = z
  .strictObject({
    overlap: z.string().max(40).optional().openapi({
      pattern: DURATION_OR_NONE,
      description:
        'For how long deliveries carry the signatures of the secrets of before too: a duration of at most 7d, or `none`, which ends them at once. 24h unless given.',
      example: '24h',
    }),
  })
  .openapi('WebhookRotation') satisfies z.ZodType<WebhookRotation>;

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
  secretRotatedAt: z.iso.datetime().nullable().openapi({ description: 'Null until it is rotated first.' }),
  formerSecretsUntil: z.iso.datetime().nullable().openapi({
    description: 'Until when deliveries carry the signature of a former secret too; null for none.',
  }),
};

export const webhookSchema = z.object(webhookFields).openapi('Webhook') satisfies z.ZodType<WebhookObject>;

export const madeWebhookSchema = z
  .object({
    ...webhookFields,
    secret: z.string().openapi({ description: 'The secret that signs deliveries. Shown only once.' }),
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
