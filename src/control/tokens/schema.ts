// The schemas of service tokens, and stored tokens as the API shows them.

import { z } from '@hono/zod-openapi';
import type { ShareId } from '../../domain/id.ts';
import type { ServiceTokenRow } from '../../store/tokens/service-token.ts';
import type {
  MadeServiceToken,
  NewServiceTokenInput,
  ServiceTokenObject,
  ServiceTokenPage,
} from '../../wire/service-token.ts';
import type { Versioned } from '../etag.ts';
import { DURATION, NAME } from '../text-patterns.ts';
import { timeOrNull, timeText } from '../time-text.ts';

/** A program that needs more of them has more than one task. */
const MAX_SHARES = 100;
/** Longer than any name or duration. */
const text = z.string().max(300);

export const newServiceTokenSchema = z
  .strictObject({
    name: text.openapi({
      pattern: NAME,
      description:
        'A name of a-z, 0-9 and hyphens, unique in the account. Rules of shares refer to tokens by name.',
      example: 'deploy-bot',
    }),
    shares: z
      .array(text)
      .min(1)
      .max(MAX_SHARES)
      .openapi({
        description: 'Names or ids of the shares that the token gives access to.',
        example: ['wiki'],
      }),
    expiresIn: text.openapi({
      pattern: DURATION,
      description: 'How long the token is valid, at most 397d.',
      example: '90d',
    }),
  })
  .openapi('NewServiceToken') satisfies z.ZodType<NewServiceTokenInput>;

const serviceTokenFields = {
  id: z.string().openapi({ example: 'tok_01jd3b2v9k6w8y4n5q7r0t1s2x' }),
  name: z.string(),
  start: z.string().nullable().openapi({
    description: 'The first characters of the token. Null if it was created before Doorward stored them.',
    example: 'dws_9fK2xA',
  }),
  shares: z.array(z.string()).openapi({
    description: 'Names of the shares that the token gives access to. Deleted shares are not listed.',
  }),
  expiresAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  createdBy: z.string().openapi({ example: 'member:mem_01jd3b2v9k6w8y4n5q7r0t1s2x' }),
  lastUsedAt: z.iso.datetime().nullable().openapi({ description: 'When it was last used, to the minute.' }),
};

export const serviceTokenSchema = z
  .object(serviceTokenFields)
  .openapi('ServiceToken') satisfies z.ZodType<ServiceTokenObject>;

export const serviceTokenPageSchema = z
  .object({ items: z.array(serviceTokenSchema), nextCursor: z.string().nullable() })
  .openapi('ServiceTokenPage') satisfies z.ZodType<ServiceTokenPage>;

export const madeServiceTokenSchema = z
  .object({
    ...serviceTokenFields,
    token: z.string().openapi({ description: 'The token itself, shown only once.' }),
  })
  .openapi('MadeServiceToken') satisfies z.ZodType<MadeServiceToken>;

export const serviceTokenParamsSchema = z.strictObject({
  serviceToken: text.openapi({
    param: { name: 'serviceToken', in: 'path' },
    description: 'Name or id.',
    example: 'deploy-bot',
  }),
});

/** For the ETag. A token never changes: what has its name later is another. */
export function serviceTokenVersion({ id, name }: Pick<ServiceTokenRow, 'id' | 'name'>): Versioned {
  return { id, name, version: 1 };
}

/** `nameOf` answers nothing for a share that is gone. */
export function serviceTokenObject(
  row: ServiceTokenRow,
  nameOf: (id: ShareId) => string | undefined,
): ServiceTokenObject {
  return {
    id: row.id,
    name: row.name,
    start: row.start,
    shares: row.shareIds.flatMap((id) => nameOf(id) ?? []).toSorted(),
    expiresAt: timeText(row.expiresAt),
    createdAt: timeText(row.createdAt),
    createdBy: row.createdBy,
    lastUsedAt: timeOrNull(row.lastUsedAt),
  };
}
