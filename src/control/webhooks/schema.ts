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
import { shownKindSchema } from '../audit-kind-schema.ts';
import { totalSchema } from '../sorting.ts';
import { DURATION_OR_NONE } from '../text-patterns.ts';

const kind = z.enum(AUDIT_KINDS);

const url = z.string().max(2_000).openapi({
  description: 'The URL that receives events: https, or http on this machine if the operator allows it.',
  example: 'https://hooks.example.com/doorward',
});
const name = z.string().min(1).max(100);
const kinds = z
  .array(kind)
  .max(AUDIT_KINDS.length)
  .optional()
  .openapi({ description: 'The kinds of audit events to send. Empty: all.' });

export const newWebhookSchema = z
  .strictObject({ url, name: name.optional().openapi({ description: 'A note for people.' }), kinds })
  .openapi('NewWebhook') satisfies z.ZodType<NewWebhookObject>;

export const webhookChangesSchema = z
  .strictObject({
    url: url.optional(),
    name: name.nullable().optional().openapi({ description: 'A note for people. Null removes it.' }),
    kinds,
    enabled: z
      .boolean()
      .optional()
      .openapi({ description: 'Disabling the webhook drops pending deliveries.' }),
  })
  .openapi('WebhookChanges') satisfies z.ZodType<WebhookChanges>;

export const webhookRotationSchema = z
  .strictObject({
    overlap: z.string().max(40).optional().openapi({
      pattern: DURATION_OR_NONE,
      description:
        'How long deliveries also carry signatures with the previous secrets: a duration of at most 7d, or `none`, which ends them at once. Default 24h.',
      example: '24h',
    }),
  })
  .openapi('WebhookRotation') satisfies z.ZodType<WebhookRotation>;

const webhookFields = {
  id: z.string(),
  name: z.string().nullable(),
  url: z.string(),
  kinds: z.array(shownKindSchema),
  enabled: z
    .boolean()
    .openapi({ description: 'False if the webhook was disabled, or failed for three days.' }),
  createdAt: z.iso.datetime(),
  failingSince: z.iso
    .datetime()
    .nullable()
    .openapi({ description: 'Since when every delivery has failed. Null while deliveries succeed.' }),
  lastFailure: z.string().nullable(),
  lastDeliveredAt: z.iso.datetime().nullable(),
  waiting: z.number().int().openapi({ description: 'The number of pending deliveries.' }),
  secretRotatedAt: z.iso
    .datetime()
    .nullable()
    .openapi({ description: 'When the secret was last rotated. Null for never.' }),
  formerSecretsUntil: z.iso.datetime().nullable().openapi({
    description: 'Until when deliveries also carry the signature of a previous secret. Null for none.',
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
  .object({ items: z.array(webhookSchema), nextCursor: z.string().nullable(), total: totalSchema })
  .openapi('WebhookPage') satisfies z.ZodType<WebhookPage>;

export const webhookTestSchema = z
  .object({
    delivered: z.boolean(),
    status: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'The status of the response. Null for no response.' }),
    reason: z.string().nullable().openapi({ description: 'Why the delivery failed.' }),
  })
  .openapi('WebhookTest') satisfies z.ZodType<WebhookTest>;

export const webhookParamsSchema = z.strictObject({
  webhook: z
    .string()
    .max(100)
    .openapi({ param: { name: 'webhook', in: 'path' }, description: 'Its id.' }),
});
