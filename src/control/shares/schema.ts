// The schemas that check requests about shares, and from which the API's description is made (DESIGN 2.5). They know
// shapes and sizes; whether a value means something is judged in `settings.ts`.

import { z } from '@hono/zod-openapi';
import type { NewShare, ShareChanges, ShareObject, SharePage } from '../../wire/share.ts';
import { SHARE_ACCESSES } from '../../domain/share-access.ts';
import { TUNNEL_KINDS } from '../../domain/tunnel-kind.ts';
import { SHARE_STATES } from '../../store/shares/share.ts';
import { DEFAULT_PAGE, MAX_PAGE } from '../cursor.ts';
import { DURATION, EMAIL_GLOB, GLOB, NAME } from '../text-patterns.ts';

/** More than a name, a target or an origin ever needs (a host name has at most 253 characters). */
const text = z.string().max(300);
/** What one share can sensibly hold: each pattern is tried on every login, the list is sent to every gateway. */
const MAX_PATTERNS = 100;
const MAX_ORIGINS = 50;

const clientCertificateChanges = z
  .strictObject({
    required: z.boolean().optional().openapi({ description: 'True to ask for one. False is null.' }),
    subject: text.nullable().optional().openapi({
      description: 'A glob that the common name must match; null: any name.',
      pattern: GLOB,
      example: 'build-*.ci',
    }),
    unit: text.nullable().optional().openapi({
      description: 'A glob that the organizational unit must match; null: any, or none.',
      pattern: GLOB,
      example: 'CI',
    }),
  })
  .openapi('ClientCertificateChanges');

const settings = {
  oauthProvider: text.nullable().optional().openapi({
    description:
      'A configured provider; null for no login. Null takes the patterns and the interval away with it.',
    example: 'google',
  }),
  oauthEmailAddressPatterns: z
    .array(text.openapi({ pattern: EMAIL_GLOB }))
    .max(MAX_PATTERNS)
    .optional()
    .openapi({
      description: 'Email globs, any one of which must match the whole address; none: any address.',
      example: ['*@example.com'],
    }),
  oauthCheckInterval: text.nullable().optional().openapi({
    description: 'How often the login is verified again; null for the default, 3h.',
    pattern: DURATION,
    example: '3h',
  }),
  clientCertificate: clientCertificateChanges.nullable().optional().openapi({
    description: 'Whether a client certificate of the account is needed, and which; null: none is asked for.',
  }),
  open: z.boolean().optional().openapi({
    description:
      'True confirms that the share is open to everyone. Needed for a share without a login and without a client certificate, and to take the last of them away.',
  }),
  access: z.enum(SHARE_ACCESSES).optional().openapi({
    description:
      'Where there is a login and a client certificate: `all` needs both, with `either` one is enough. `all` unless said.',
  }),
  allowOrigins: z
    .array(text)
    .max(MAX_ORIGINS)
    .optional()
    .openapi({ description: 'Origins of other sites whose pages may use the visitor’s session here.' }),
  enabled: z.boolean().optional().openapi({ description: 'A disabled share answers 404. True unless said.' }),
};

const target = text.openapi({
  description: 'The backend, http or https, host and port only.',
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
        'Instead of a target: agents serve it. `ephemeral` goes with its agent, `reserved` is kept.',
    }),
    ...settings,
  })
  .openapi('NewShare') satisfies z.ZodType<NewShare>;

export const shareChangesSchema = z
  .strictObject({ target: target.optional(), ...settings })
  .openapi('ShareChanges') satisfies z.ZodType<ShareChanges>;

const shareFields = {
  id: z.string().openapi({ example: 'shr_01jd3b2v9k6w8y4n5q7r0t1s2x' }),
  name: z.string().openapi({ example: 'demo' }),
  url: z.string().openapi({ example: 'https://demo.share.example.com' }),
  target: z.string().nullable().openapi({ example: 'http://10.0.0.5:3000' }),
  tunnel: z.enum(TUNNEL_KINDS).nullable().openapi({ example: null }),
  hosts: z.array(z.string()).openapi({ example: ['demo.share.example.com'] }),
  oauthProvider: z.string().nullable(),
  oauthEmailAddressPatterns: z.array(z.string()),
  oauthCheckInterval: z.string().nullable(),
  clientCertificate: z
    .object({
      required: z.literal(true),
      subject: z.string().nullable().openapi({ example: 'build-*.ci' }),
      unit: z.string().nullable(),
    })
    .openapi('ClientCertificateRule')
    .nullable(),
  open: z.boolean().openapi({
    description: 'Open to everyone: it asks for neither a login nor a client certificate.',
    example: false,
  }),
  access: z.enum(SHARE_ACCESSES),
  allowOrigins: z.array(z.string()),
  enabled: z.boolean(),
  agentSeenAt: z.iso.datetime().nullable().openapi({
    description: 'When an agent was last seen to serve it, to the minute; null for none ever.',
    example: null,
  }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

export const shareSchema = z.object(shareFields).openapi('Share') satisfies z.ZodType<ShareObject>;

export const sharePageSchema = z
  .object({ items: z.array(shareSchema), nextCursor: z.string().nullable() })
  .openapi('SharePage') satisfies z.ZodType<SharePage>;

export const pageQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(DEFAULT_PAGE),
  cursor: text.optional().openapi({ description: 'The `nextCursor` of the page before.' }),
});

export const shareQuerySchema = pageQuerySchema.extend({
  q: text.min(1).optional().openapi({
    description: 'Only those whose name, target or provider contains this, in any case.',
  }),
  provider: text.optional().openapi({ description: 'Only those whose login is made with this provider.' }),
  state: z.enum(SHARE_STATES).optional().openapi({
    description:
      '`open`: on, asking for neither a login nor a certificate. `waiting`: on, and no agent serves it. `failing`: on, and the last requests got no answer of the backend. `down`: waiting or failing.',
  }),
});

export const shareParamsSchema = z.strictObject({
  share: z
    .string()
    .max(300)
    .openapi({ param: { name: 'share', in: 'path' }, description: 'Name or id.', example: 'demo' }),
});
