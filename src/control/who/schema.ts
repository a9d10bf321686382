// The schemas of who could get in, and of what somebody could open.

import { z } from '@hono/zod-openapi';
import { ADMISSION_OUTCOMES } from '../../domain/would-let-in.ts';
import type {
  KnownPersonObject,
  PersonShareObject,
  PersonSharesPage,
  RuleSentence,
  WhoPage,
} from '../../wire/who.ts';
import { pageQuerySchema } from '../shares/schema.ts';

const text = z.string().max(300);
const could = {
  outcome: z.enum(ADMISSION_OUTCOMES).openapi({
    description: '`depends`: on facts that are not known, which `detail` names.',
  }),
  detail: z.string().openapi({ description: 'The reason in words.' }),
  rule: z.string().nullable().openapi({
    description:
      'The rule that allows, could allow, or denies: its number, or the setting it comes from. Null for none in particular.',
  }),
};

export const whoQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(50).openapi({
    description: 'How many addresses or certificates. An address can log in with several providers.',
  }),
  cursor: z.string().max(2_000).optional().openapi({ description: 'The `nextCursor` of the previous page.' }),
});

const knownPersonSchema = z
  .object({
    email: z.string().nullable().openapi({ description: 'Null for a person known by a certificate alone.' }),
    provider: z.string().nullable(),
    certificate: z
      .object({ id: z.string(), commonName: z.string(), organizationalUnit: z.string().nullable() })
      .nullable(),
    knownBy: z.enum(['session', 'access_request', 'audit', 'certificate']).openapi({
      description:
        'How the account knows the person: by a session of the last week, a request for access to this share, a recent login in the audit log, or a client certificate.',
    }),
    knownSince: z.iso
      .datetime()
      .openapi({ description: 'When the person last logged in or asked, or the certificate was issued.' }),
    ...could,
  })
  .openapi('KnownPerson') satisfies z.ZodType<KnownPersonObject>;

export const whoPageSchema = z
  .object({
    share: z.string().openapi({ description: 'The name of the share.' }),
    rules: z
      .array(
        z.object({
          rule: z.string(),
          effect: z.enum(['allow', 'deny']),
          text: z.string().openapi({ example: 'group eng-*, logged in with corp' }),
        }) satisfies z.ZodType<RuleSentence>,
      )
      .openapi({ description: 'Whom each rule describes, known or not. A deny excludes.' }),
    items: z.array(knownPersonSchema),
    nextCursor: z.string().nullable(),
  })
  .openapi('WhoPage') satisfies z.ZodType<WhoPage>;

export const personQuerySchema = pageQuerySchema.extend({
  email: text.min(1).optional().openapi({ description: 'The email address.', example: 'ann@example.com' }),
  provider: text
    .min(1)
    .optional()
    .openapi({ description: 'Where the person logs in. Default: any of a share.' }),
  certificate: text.min(1).optional().openapi({
    description:
      'The id, serial number or fingerprint of a client certificate that the person has. Admins and auditors only.',
  }),
});

const personShareSchema = z
  .object({
    id: z.string().openapi({ description: 'The id of the share.' }),
    share: z.string().openapi({ description: 'The name of the share.' }),
    url: z.string(),
    provider: z
      .string()
      .nullable()
      .openapi({ description: 'Where the person would log in. Null without a login.' }),
    ...could,
  })
  .openapi('PersonShare') satisfies z.ZodType<PersonShareObject>;

export const personSharesSchema = z
  .object({
    logins: z
      .array(
        z.object({
          provider: z.string(),
          groups: z.array(z.string()).nullable().openapi({
            description: 'The groups that the provider named last. Null if it cannot tell.',
          }),
          at: z.iso.datetime(),
        }),
      )
      .openapi({ description: 'Logins of the last week that the answer takes into account.' }),
    items: z.array(personShareSchema),
    nextCursor: z.string().nullable(),
  })
  .openapi('PersonShares') satisfies z.ZodType<PersonSharesPage>;
