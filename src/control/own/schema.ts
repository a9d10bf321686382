// The schemas of people's own things, from which the API's description is made.

import { z } from '@hono/zod-openapi';
import type {
  MeObject,
  OwnApiKeyList,
  OwnApiKeyObject,
  OwnCertificateList,
  OwnCertificateObject,
  OwnRenewal,
  OwnSessionList,
  OwnSessionObject,
  OwnShareObject,
  OwnSharePage,
} from '../../wire/own.ts';
import { MAX_PAGE } from '../cursor.ts';
import { KEY_SCOPES, ROLES } from '../../domain/role.ts';

const timeOrNull = z.iso.datetime().nullable();
const more = z.boolean().openapi({ description: 'True if there are more than the listed ones.' });

export const meSchema = z
  .object({
    email: z.string(),
    provider: z.string(),
    providerDisplayName: z
      .string()
      .openapi({ description: 'As people see it where they choose a provider.' }),
    emailVerified: z.boolean().openapi({
      description:
        'Whether the provider verified the email address. Certificates are listed only for a verified address.',
    }),
    expiresAt: z.iso.datetime().openapi({ description: 'When this login ends.' }),
  })
  .openapi('Me') satisfies z.ZodType<MeObject>;

const ownSessionSchema = z
  .object({
    id: z.string(),
    share: z
      .string()
      .nullable()
      .openapi({ description: 'The name of the share. Null if the share was deleted.' }),
    url: z.string().nullable(),
    ip: z.string().nullable().openapi({ description: 'The network address of the login.' }),
    userAgent: z.string().nullable().openapi({ description: 'The user agent at the login.' }),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .openapi('OwnSession') satisfies z.ZodType<OwnSessionObject>;

export const ownSessionListSchema = z
  .object({ items: z.array(ownSessionSchema), more })
  .openapi('OwnSessionList') satisfies z.ZodType<OwnSessionList>;

const ownShareSchema = z
  .object({
    share: z.string().openapi({ description: 'The name of the share.' }),
    account: z.string().openapi({ description: 'The name of its account.' }),
    url: z.string(),
    description: z.string().nullable(),
    icon: z.string().nullable().openapi({
      description:
        'One or two letters, a sign, or a `data:` URL of a small image. Null: the first letter of the name.',
    }),
  })
  .openapi('OwnShare') satisfies z.ZodType<OwnShareObject>;

export const ownSharePageSchema = z
  .object({ items: z.array(ownShareSchema), nextCursor: z.string().nullable() })
  .openapi('OwnSharePage') satisfies z.ZodType<OwnSharePage>;

export const ownSharesQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(MAX_PAGE),
  q: z.string().min(1).max(100).optional().openapi({
    description: 'Only shares whose name or description contains this text, in upper or lower case.',
  }),
  cursor: z.string().max(600).optional().openapi({ description: 'The `nextCursor` of the previous page.' }),
});

const ownApiKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    start: z.string().nullable().openapi({
      description: 'The first characters of the key. Null if it was created before Doorward stored them.',
    }),
    role: z.enum(ROLES),
    scope: z.enum(KEY_SCOPES),
    isOfDevice: z.boolean().openapi({
      description: 'Whether the key came from a login by device, or was created with such a key.',
    }),
    createdAt: z.iso.datetime(),
    expiresAt: timeOrNull,
    lastUsedAt: timeOrNull.openapi({ description: 'To the minute. Null if the key was never used.' }),
  })
  .openapi('OwnApiKey') satisfies z.ZodType<OwnApiKeyObject>;

export const ownApiKeyListSchema = z
  .object({ items: z.array(ownApiKeySchema), more })
  .openapi('OwnApiKeyList') satisfies z.ZodType<OwnApiKeyList>;

export const ownCertificateSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    commonName: z.string(),
    organization: z.string().nullable(),
    organizationalUnit: z.string().nullable(),
    account: z.string().openapi({ description: 'The name of the account that issued it.' }),
    serial: z.string().openapi({ description: 'The serial number, in upper-case hex.' }),
    notBefore: z.iso.datetime(),
    notAfter: z.iso.datetime(),
    state: z.enum(['living', 'revoked', 'expired']),
    revokedAt: timeOrNull,
    lastUsedAt: timeOrNull.openapi({ description: 'When it was last used, to the minute.' }),
    lastUsedOn: z
      .string()
      .nullable()
      .openapi({ description: 'Where it was last used: a share, or `control`.' }),
    renewal: z.enum(['now', 'later', 'renewed', 'never']).openapi({
      description:
        '`later`: from `renewableFrom` on. `renewed`: its renewal is valid. `never`: not with a login; ask an admin.',
    }),
    renewableFrom: z.iso.datetime(),
  })
  .openapi('OwnCertificate') satisfies z.ZodType<OwnCertificateObject>;

export const ownCertificateListSchema = z
  .object({ items: z.array(ownCertificateSchema), more })
  .openapi('OwnCertificateList') satisfies z.ZodType<OwnCertificateList>;

export const ownRenewalSchema = z
  .object({
    url: z
      .string()
      .openapi({ description: 'The page where the new certificate is redeemed. Shown only once.' }),
    expiresAt: z.iso.datetime(),
  })
  .openapi('OwnRenewal') satisfies z.ZodType<OwnRenewal>;

const id = z.string().max(100);

export const ownSessionParamsSchema = z.strictObject({
  session: id.openapi({ param: { name: 'session', in: 'path' }, description: 'Its id.' }),
});

export const ownCertificateParamsSchema = z.strictObject({
  certificate: id.openapi({ param: { name: 'certificate', in: 'path' }, description: 'Its id.' }),
});
