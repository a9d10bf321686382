// The schemas of the log of deliveries.

import { z } from '@hono/zod-openapi';
import type { WebhookDelivery, WebhookDeliveryDetail, WebhookDeliveryPage } from '../../wire/webhook.ts';
import { shownKindSchema } from '../audit-kind-schema.ts';
import { DELIVERY_STATES } from '../../store/webhooks/logged-delivery.ts';
import { pageQuerySchema } from '../shares/schema.ts';

const attempt = z.number().int().nullable().openapi({
  description: 'The number of the attempt. Null for a test or a redelivery.',
});
const durationMs = z.number().int();
const status = z
  .number()
  .int()
  .nullable()
  .openapi({ description: 'The status of the response. Null for no response.' });
const reason = z
  .string()
  .nullable()
  .openapi({ description: 'Why the attempt failed. Null if it succeeded.' });

const deliveryFields = {
  id: z.string().openapi({ description: 'The `svc-webhook-id` of each attempt.' }),
  eventId: z.string(),
  kind: shownKindSchema,
  state: z.enum(DELIVERY_STATES).openapi({
    description:
      'By the last attempt. `retrying`: it failed, and Doorward tries again. `failed`: it failed, and Doorward does not try again.',
  }),
  attemptedAt: z.iso.datetime().openapi({ description: 'When the last attempt began.' }),
  attempt,
  durationMs,
  status,
  reason,
  nextAttemptAt: z.iso.datetime().nullable().openapi({
    description: 'When Doorward tries again. Null if it does not.',
  }),
};

export const deliverySchema = z
  .object(deliveryFields)
  .openapi('WebhookDelivery') satisfies z.ZodType<WebhookDelivery>;

export const deliveryPageSchema = z
  .object({ items: z.array(deliverySchema), nextCursor: z.string().nullable() })
  .openapi('WebhookDeliveryPage') satisfies z.ZodType<WebhookDeliveryPage>;

export const deliveryDetailSchema = z
  .object({
    ...deliveryFields,
    payload: z.string().openapi({ description: 'The body, exactly as it is sent.' }),
    attempts: z
      .array(
        z.object({
          attempt,
          attemptedAt: z.iso.datetime(),
          durationMs,
          origin: z.string().openapi({ description: 'Where it was sent: scheme, host and port.' }),
          status,
          answer: z.string().nullable().openapi({
            description:
              'The first KiB of the response body as text, without secrets and signatures. Null for no response.',
          }),
          reason,
        }),
      )
      .openapi({
        description:
          'The last ten attempts, the oldest first. An attempt whose gateway stopped before it noted the result is not listed.',
      }),
  })
  .openapi('WebhookDeliveryDetail') satisfies z.ZodType<WebhookDeliveryDetail>;

export const deliveryQuerySchema = pageQuerySchema.extend({
  state: z.enum(DELIVERY_STATES).optional().openapi({ description: 'Only deliveries in this state.' }),
});

export const deliveryParamsSchema = z.strictObject({
  delivery: z
    .string()
    .max(100)
    .openapi({ param: { name: 'delivery', in: 'path' }, description: 'Its id.' }),
});
