// The schemas that check requests about shares, and from which the API's description is made (DESIGN 2.5).
// They know shapes and sizes; whether a value means something is judged in `settings.ts`.

import { z } from '@hono/zod-openapi';
import type {
  ListedShare,
  NewShare,
  ShareChanges,
  ShareFiguresObject,
  ShareObject,
  SharePage,
} from '../../wire/share.ts';
import { SHARE_ORDERS } from '../../domain/list-orders.ts';
import { TUNNEL_KINDS } from '../../domain/tunnel-kind.ts';
import { SHARE_STATES } from '../../store/shares/share.ts';
import { DEFAULT_PAGE, MAX_PAGE } from '../cursor.ts';
import { sortedPageSchema, totalSchema } from '../sorting.ts';
import { NAME } from '../text-patterns.ts';
import { saidSettings, shownSettings } from './settings-schema.ts';

/** More than a name, a target or an origin ever needs (a host name has at most 253 characters). */
const text = z.string().max(300);

const target = text.openapi({
  description: 'The URL of the backend: http or https, host and port only.',
  example: 'http://10.0.0.5:3000',
});

export const newShareSchema = z
  .strictObject({
    name: text.optional().openapi({
      pattern: NAME,
      description:
        'The first label of its address: a-z, 0-9 and hyphens. An ephemeral share gets a random one.',
      example: 'demo',
    }),
    target: target.optional(),
    tunnel: z.enum(TUNNEL_KINDS).optional().openapi({
      description:
        'For a share that agents serve, instead of `target`. `ephemeral`: deleted when its agent leaves. `reserved`: kept.',
    }),
    ...saidSettings,
  })
  .openapi('NewShare') satisfies z.ZodType<NewShare>;

export const shareChangesSchema = z
  .strictObject({ target: target.optional(), ...saidSettings })
  .openapi('ShareChanges') satisfies z.ZodType<ShareChanges>;

const shareFields = {
  id: z.string().openapi({ example: 'shr_01jd3b2v9k6w8y4n5q7r0t1s2x' }),
  name: z.string().openapi({ example: 'demo' }),
  url: z.string().openapi({ example: 'https://demo.share.example.com' }),
  target: z.string().nullable().openapi({ example: 'http://10.0.0.5:3000' }),
  tunnel: z.enum(TUNNEL_KINDS).nullable().openapi({ example: null }),
  hosts: z.array(z.string()).openapi({ example: ['demo.share.example.com'] }),
  ...shownSettings,
  ownerIsMember: z.boolean().nullable().optional().openapi({
    description:
      'Whether the owner is a member of the account. Null for a share without an owner. Only where shares are shown and listed, and only for whoever can read members.',
  }),
  agentSeenAt: z.iso.datetime().nullable().openapi({
    description: 'When an agent last served it, to the minute. Null for never.',
    example: null,
  }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

export const shareSchema = z.object(shareFields).openapi('Share') satisfies z.ZodType<ShareObject>;

const shareFiguresSchema = z
  .object({
    requests: z.number().int().openapi({ description: 'Requests in the last 24 hours.' }),
    sessions: z.number().int().openapi({
      description: 'Active sessions. Counting stops at 1,001.',
    }),
    lastRequestAt: z.iso.datetime().nullable().openapi({
      description:
        'When the last request came: to the minute, or to the hour if that was hours ago. Null for none in a week.',
    }),
  })
  .openapi('ShareFigures') satisfies z.ZodType<ShareFiguresObject>;

const listedShareSchema = z
  .object({
    ...shareFields,
    etag: z
      .string()
      .openapi({ description: 'Its version. Send it as If-Match to change only this version.' }),
    figures: shareFiguresSchema.optional().openapi({ description: 'Only with `include=figures`.' }),
  })
  .openapi('ListedShare') satisfies z.ZodType<ListedShare>;

export const sharePageSchema = z
  .object({ items: z.array(listedShareSchema), nextCursor: z.string().nullable(), total: totalSchema })
  .openapi('SharePage') satisfies z.ZodType<SharePage>;

export const pageQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(DEFAULT_PAGE),
  cursor: text.optional().openapi({ description: 'The `nextCursor` of the previous page.' }),
});

export const shareQuerySchema = sortedPageSchema(SHARE_ORDERS).extend({
  include: z.enum(['figures']).optional().openapi({
    description: '`figures`: with each share, its requests and sessions. A page then has at most 50 shares.',
  }),
  q: text.min(1).optional().openapi({
    description: 'Only shares whose name, target or provider contains this text, in upper or lower case.',
  }),
  provider: text.optional().openapi({ description: 'Only shares that use this provider.' }),
  owner: text
    .min(1)
    .optional()
    .openapi({ description: 'Only shares with this owner, in upper or lower case.' }),
  state: z.enum(SHARE_STATES).optional().openapi({
    description:
      '`open`: enabled, and open to everyone. `waiting`: enabled, and no agent serves it. `failing`: enabled, and the backend did not answer the last requests, or accepts no connection. `down`: waiting or failing. `up`: enabled, and not down. `unanswered`: enabled or not, with requests in the last 24 hours that the backend did not answer.',
  }),
});

export const shareParamsSchema = z.strictObject({
  share: z
    .string()
    .max(300)
    .openapi({ param: { name: 'share', in: 'path' }, description: 'Name or id.', example: 'demo' }),
});
