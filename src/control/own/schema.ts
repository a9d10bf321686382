// The schemas of people's own things, from which the API's description is made.

import { z } from '@hono/zod-openapi';
import type {
  MeObject,
  OwnCertificateList,
  OwnCertificateObject,
  OwnRenewal,
  OwnSessionList,
  OwnSessionObject,
} from '../../wire/own.ts';

const timeOrNull = z.iso.datetime().nullable();
const more = z.boolean().openapi({ description: 'There are others beyond those that are listed.' });

export const meSchema = z
  .object({
    email: z.string(),
    provider: z.string(),
    emailVerified: z.boolean().openapi({
      description: 'Whether the provider vouches for the address: without that, no certificate is listed.',
    }),
    expiresAt: z.iso.datetime().openapi({ description: 'When this login ends.' }),
  })
  .openapi('Me') satisfies z.ZodType<MeObject>;

const ownSessionSchema = z
  .object({
    id: z.string(),
    share: z.string().nullable().openapi({ description: 'Its name; null when the share is gone.' }),
    url: z.string().nullable(),
    ip: z.string().nullable().openapi({ description: 'Where the login came from.' }),
    userAgent: z
      .string()
      .nullable()
      .openapi({ description: 'What the browser said of itself at the login.' }),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .openapi('OwnSession') satisfies z.ZodType<OwnSessionObject>;

export const ownSessionListSchema = z
  .object({ items: z.array(ownSessionSchema), more })
  .openapi('OwnSessionList') satisfies z.ZodType<OwnSessionList>;

export const ownCertificateSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    commonName: z.string(),
    organization: z.string().nullable(),
    organizationalUnit: z.string().nullable(),
    account: z.string().openapi({ description: 'The name of the account that gave it.' }),
    serial: z.string().openapi({ description: 'Upper-case hex.' }),
    notBefore: z.iso.datetime(),
    notAfter: z.iso.datetime(),
    state: z.enum(['living', 'revoked', 'expired']),
    revokedAt: timeOrNull,
    lastUsedAt: timeOrNull.openapi({ description: 'To the minute.' }),
    lastUsedOn: z.string().nullable().openapi({ description: 'A share, or `control`.' }),
    renewal: z.enum(['now', 'later', 'renewed', 'never']).openapi({
      description:
        '`later`: from `renewableFrom` on. `renewed`: what took its place is good. `never`: not by logging in; ask an admin.',
    }),
    renewableFrom: z.iso.datetime(),
  })
  .openapi('OwnCertificate') satisfies z.ZodType<OwnCertificateObject>;

export const ownCertificateListSchema = z
  .object({ items: z.array(ownCertificateSchema), more })
  .openapi('OwnCertificateList') satisfies z.ZodType<OwnCertificateList>;

export const ownRenewalSchema = z
  .object({
    url: z.string().openapi({ description: 'Where the new one is fetched, once; shown only once.' }),
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
