// The schemas of host names of their own that shares have, and stored ones as the API shows them.

import { z } from '@hono/zod-openapi';
import type { HostObject, HostPage, NewHost } from '../../wire/host.ts';
import { HOST_ORDERS } from '../../domain/list-orders.ts';
import { challengeName, challengeValue } from '../../domain/custom-host.ts';
import type { ShareHostRow } from '../../store/shares/host.ts';
import type { Versioned } from '../etag.ts';
import { sortedPageSchema, totalSchema } from '../sorting.ts';
import { timeOrNull, timeText } from '../time-text.ts';

/** More than a host name has. */
const text = z.string().max(300);

export const newHostSchema = z
  .strictObject({
    host: text.openapi({
      description: 'The host name in lower case, without a port. Write an international name as `xn--…`.',
      example: 'app.customer.com',
    }),
    share: text.openapi({ description: 'Name or id of the share that answers there.', example: 'demo' }),
  })
  .openapi('NewHost') satisfies z.ZodType<NewHost>;

export const hostSchema = z
  .object({
    id: z.string().openapi({ example: 'hst_01jd3b2v9k6w8y4n5q7r0t1s2x' }),
    host: z.string(),
    share: z.string().openapi({ description: 'The name of the share.' }),
    state: z
      .enum(['pending', 'active'])
      .openapi({ description: 'The share answers at the host once the state is `active`.' }),
    proof: z
      .enum(['dns', 'operator'])
      .nullable()
      .openapi({ description: 'What made the host active: the DNS record, or a grant of the operator.' }),
    challenge: z
      .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .openapi({ description: 'The DNS record that proves ownership of the host.' }),
    createdAt: z.iso.datetime(),
    provedAt: z.iso.datetime().nullable(),
  })
  .openapi('Host') satisfies z.ZodType<HostObject>;

export const hostPageSchema = z
  .object({ items: z.array(hostSchema), nextCursor: z.string().nullable(), total: totalSchema })
  .openapi('HostPage') satisfies z.ZodType<HostPage>;

export const hostQuerySchema = sortedPageSchema(HOST_ORDERS).extend({
  share: text.optional().openapi({ description: 'Only hosts of this share, by name or id.' }),
});

export const hostParamsSchema = z.strictObject({
  host: text.openapi({
    param: { name: 'host', in: 'path' },
    description: 'The host name or id.',
    example: 'app.customer.com',
  }),
});

/**
 * For the ETag: a host changes once, when it is proved. What is claimed again after it was deleted is
 * another.
 */
export function hostVersion({ id, host, proof }: ShareHostRow): Versioned {
  return { id, name: host, version: proof ?? 'pending' };
}

export function hostObject(row: ShareHostRow): HostObject {
  return {
    id: row.id,
    host: row.host,
    share: row.shareName,
    state: row.provedAt === null ? 'pending' : 'active',
    proof: row.proof,
    challenge: {
      type: 'TXT',
      name: challengeName(row.host),
      value: challengeValue(row.accountId, row.host),
    },
    createdAt: timeText(row.createdAt),
    provedAt: timeOrNull(row.provedAt),
  };
}
