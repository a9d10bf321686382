// Limits of an account as they are shown: how much is used, of how much.

import { z } from '@hono/zod-openapi';
import type { AccountLimits } from '../../domain/account-limits.ts';
import type { AccountUsage } from '../../store/people/account.ts';
import type { LimitObject } from '../../wire/settings.ts';

export const limitSchema = z.object({
  limit: z.string().openapi({ example: 'shares' }),
  used: z.int().min(0).nullable().openapi({
    description: 'How much of it the account uses. Null where that is not counted.',
  }),
  allowed: z.int().min(0),
}) satisfies z.ZodType<LimitObject>;

/** In the order in which the configuration describes them. */
export function limitObjects(limits: AccountLimits, usage: AccountUsage): readonly LimitObject[] {
  const used = new Map(Object.entries(usage));
  return Object.entries(limits).map(([limit, allowed]) => ({
    limit,
    used: used.get(limit) ?? null,
    allowed,
  }));
}
