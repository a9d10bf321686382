// The schemas of API keys, and stored keys as the API shows them (DESIGN 2.5).

import { z } from '@hono/zod-openapi';
import type { ApiKeyObject, ApiKeyPage, MadeApiKey, NewApiKeyInput } from '../../wire/api-key.ts';
import { KEY_SCOPES, ROLES } from '../../domain/role.ts';
import type { ApiKeyRow } from '../../store/people/people.ts';
import type { Versioned } from '../etag.ts';
import { totalSchema } from '../sorting.ts';
import { DURATION, NAME } from '../text-patterns.ts';
import { timeOrNull, timeText } from '../time-text.ts';

/** Longer than any name or duration. */
const text = z.string().max(300);

export const newApiKeySchema = z
  .strictObject({
    name: text.openapi({
      pattern: NAME,
      description: 'A name of a-z, 0-9 and hyphens, unique in the account.',
      example: 'ci',
    }),
    role: z.enum(ROLES).optional().openapi({ description: 'Default `member`.' }),
    scope: z.enum(KEY_SCOPES).optional().openapi({
      description:
        'Default `full`, or `read` with the role `auditor`. A key with `read` cannot change anything.',
    }),
    expiresIn: text.optional().openapi({
      pattern: DURATION,
      description: 'How long it is valid. Default: it does not expire.',
      example: '90d',
    }),
  })
  .openapi('NewApiKey') satisfies z.ZodType<NewApiKeyInput>;

const apiKeyFields = {
  id: z.string().openapi({ example: 'key_01jd3b2v9k6w8y4n5q7r0t1s2x' }),
  name: z.string(),
  start: z.string().nullable().openapi({
    description: 'The first characters of the key. Null if it was created before Doorward stored them.',
    example: 'dw_9fK2xA',
  }),
  role: z.enum(ROLES),
  scope: z.enum(KEY_SCOPES),
  expiresAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  createdBy: z.string().nullable().openapi({ example: 'member:mem_01jd3b2v9k6w8y4n5q7r0t1s2x' }),
  member: z.string().nullable().openapi({
    description:
      'The member who owns the key. The key never has more rights than its owner, and is deleted with them.',
  }),
  lastUsedAt: z.iso.datetime().nullable().openapi({ description: 'When it was last used, to the minute.' }),
};

export const apiKeySchema = z.object(apiKeyFields).openapi('ApiKey') satisfies z.ZodType<ApiKeyObject>;

export const apiKeyPageSchema = z
  .object({ items: z.array(apiKeySchema), nextCursor: z.string().nullable(), total: totalSchema })
  .openapi('ApiKeyPage') satisfies z.ZodType<ApiKeyPage>;

export const madeApiKeySchema = z
  .object({
    ...apiKeyFields,
    key: z.string().openapi({ description: 'The key itself, shown only once.' }),
  })
  .openapi('MadeApiKey') satisfies z.ZodType<MadeApiKey>;

export const apiKeyParamsSchema = z.strictObject({
  apiKey: text.openapi({ param: { name: 'apiKey', in: 'path' }, description: 'Name or id.', example: 'ci' }),
});

/** For the ETag. A key never changes: what has its name later is another. */
export function apiKeyVersion({ id, name }: Pick<ApiKeyRow, 'id' | 'name'>): Versioned {
  return { id, name, version: 1 };
}

export function apiKeyObject(row: ApiKeyRow): ApiKeyObject {
  return {
    id: row.id,
    name: row.name,
    start: row.start,
    role: row.role,
    scope: row.scope,
    expiresAt: timeOrNull(row.expiresAt),
    createdAt: timeText(row.createdAt),
    createdBy: row.createdBy,
    member: row.memberId,
    lastUsedAt: timeOrNull(row.lastUsedAt),
  };
}
