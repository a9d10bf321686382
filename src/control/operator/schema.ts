// The schemas of what operators see.

import { z } from '@hono/zod-openapi';
import type { OperatedAccountDetail, OperatedAccountPage, ServiceHealth } from '../../wire/operator.ts';
import { limitSchema } from '../records/limit-objects.ts';

const count = z.int().min(0);

const account = z
  .object({
    id: z.string(),
    name: z.string(),
    state: z.enum(['active', 'suspended']),
    createdAt: z.iso.datetime(),
    lastRequestAt: z.iso.datetime().nullable().openapi({
      description:
        'The minute or hour of the last request at its shares. Null if there was none in the last week.',
    }),
    limits: z.array(limitSchema).openapi({
      description: 'How much of its limits the account uses. In a list, those that are counted.',
    }),
  })
  .openapi('OperatedAccount');

export const accountPageSchema = z
  .object({ items: z.array(account), nextCursor: z.string().nullable() })
  .openapi('OperatedAccountPage') satisfies z.ZodType<OperatedAccountPage>;

export const accountDetailSchema = z
  .object({ ...account.shape, sessions: z.object({ active: count }) })
  .openapi('OperatedAccountDetail') satisfies z.ZodType<OperatedAccountDetail>;

const gateway = z.object({
  id: z.string(),
  version: z.string(),
  startedAt: z.iso.datetime(),
  state: z.enum(['running', 'silent']).openapi({
    description:
      'Silent: the gateway did not report for 30 seconds. After ten minutes it is no longer listed.',
  }),
  silentSeconds: count.openapi({
    description: 'Since its last report. A gateway reports every ten seconds.',
  }),
  workers: z.object({ running: count.nullable(), configured: count }),
  behindSeconds: z.number().min(0).nullable().openapi({
    description:
      'Since the gateway last read changes from the database, when it reported. Null if its version does not report it.',
  }),
  auditWaiting: count.nullable().openapi({ description: 'Audit events that it has not written yet.' }),
  certificateExpiresAt: z.iso.datetime().nullable().openapi({
    description: 'When the first of the certificates in its `tls` files expires.',
  }),
});

export const serviceHealthSchema = z
  .object({
    gateways: z.array(gateway),
    publicCertificates: z
      .object({
        valid: count,
        missing: count.openapi({ description: 'Names without a valid certificate.' }),
        failing: count.openapi({ description: 'Names whose last order failed.' }),
        firstExpiresAt: z.iso.datetime().nullable(),
      })
      .nullable()
      .openapi({ description: 'Certificates that Doorward orders by ACME. Null if it orders none.' }),
    webhookDeliveries: z
      .object({ waiting: count, overdue: count })
      .openapi({ description: 'Deliveries of all accounts. At most 10,000 of each are counted.' }),
  })
  .openapi('ServiceHealth') satisfies z.ZodType<ServiceHealth>;
