// What a change changed, as the audit tells it.

import { z } from '@hono/zod-openapi';
import type { AuditChangeObject } from '../../wire/audit-event.ts';

const value = z
  .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
  .nullable()
  .openapi({ type: ['string', 'number', 'boolean', 'array', 'null'], items: { type: 'string' } });
const side = z.record(z.string(), value).nullable();

export const auditChangeSchema = z
  .object({
    before: side.openapi({ description: 'Null for something new.' }),
    after: side.openapi({ description: 'Null for something deleted.' }),
    secrets: z
      .array(z.string())
      .openapi({ description: 'Secrets that changed, by name. Their values are recorded nowhere.' }),
    omitted: z
      .int()
      .min(0)
      .openapi({ description: 'How many values were left out or shortened because they were too long.' }),
  })
  .openapi('AuditChange', {
    description:
      'The fields that differ, before and after a change, by their names in the API. Rules are text. Of a long list, only what the other side does not have.',
    example: { before: { role: 'member' }, after: { role: 'admin' }, secrets: [], omitted: 0 },
  }) satisfies z.ZodType<AuditChangeObject>;
