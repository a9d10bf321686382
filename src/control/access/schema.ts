// The schemas of requests for access, and stored ones as the API shows them.

import { z } from '@hono/zod-openapi';
import { ACCESS_REQUEST_STATES } from '../../domain/access-request-state.ts';
import type { AccessRequest } from '../../domain/access-request.ts';
import type { AccessGrantInput, AccessRequestObject, AccessRequestPage } from '../../wire/access-request.ts';
import { DURATION } from '../text-patterns.ts';
import type { ShareNames } from '../tokens/share-names.ts';
import { timeOrNull, timeText } from '../time-text.ts';

const text = z.string().max(300);

export const accessRequestSchema = z
  .object({
    id: z.string().openapi({ example: 'arq_01jd3b2v9k6w8y4n5q7r0t1s2x' }),
    share: z
      .string()
      .nullable()
      .openapi({ description: 'The name of the share. Null if the share was deleted.' }),
    shareId: z.string(),
    provider: z.string(),
    email: z.string().openapi({ description: 'The address that the provider confirmed.' }),
    message: z.string().openapi({ description: 'What the person wrote, at most 200 characters.' }),
    state: z.enum(ACCESS_REQUEST_STATES),
    firstAskedAt: z.iso.datetime(),
    lastAskedAt: z.iso.datetime(),
    decidedAt: z.iso.datetime().nullable(),
    grantedUntil: z.iso.datetime().nullable().openapi({ description: 'When the granted access ends.' }),
  })
  .openapi('AccessRequest') satisfies z.ZodType<AccessRequestObject>;

export const accessRequestPageSchema = z
  .object({ items: z.array(accessRequestSchema), nextCursor: z.string().nullable() })
  .openapi('AccessRequestPage') satisfies z.ZodType<AccessRequestPage>;

export const accessGrantSchema = z
  .strictObject({
    for: text.optional().openapi({
      pattern: DURATION,
      description: 'How long to let the person in, at most 90d. Send this or `until`.',
      example: '7d',
    }),
    until: z.iso
      .datetime({ offset: true })
      .optional()
      .openapi({ description: 'When the access ends, at most 90 days from now. Send this or `for`.' }),
  })
  .openapi('AccessGrant') satisfies z.ZodType<AccessGrantInput>;

export const accessRequestParamsSchema = z.strictObject({
  accessRequest: text.openapi({
    param: { name: 'accessRequest', in: 'path' },
    description: 'The id of the request.',
    example: 'arq_01jd3b2v9k6w8y4n5q7r0t1s2x',
  }),
});

/** `nameOf` answers nothing for a share that is gone. */
export function accessRequestObject(request: AccessRequest, nameOf: ShareNames): AccessRequestObject {
  const { id, shareId, provider, email, message, state } = request;
  return {
    id,
    share: nameOf(shareId) ?? null,
    shareId,
    provider,
    email,
    message,
    state,
    firstAskedAt: timeText(request.firstAskedAt),
    lastAskedAt: timeText(request.lastAskedAt),
    decidedAt: timeOrNull(request.decidedAt),
    grantedUntil: timeOrNull(request.grantedUntil),
  };
}
