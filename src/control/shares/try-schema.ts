// The question and the answer of POST /v1/shares/{share}/test, as the API writes them.

import { z } from '@hono/zod-openapi';
import { CONDITION_NAMES } from '../../domain/access-rule.ts';
import { parseIpAddress } from '../../domain/ip-address.ts';
import { ADMISSION_OUTCOMES, ADMISSION_REASONS } from '../../domain/would-let-in.ts';
import type { ShareTest, ShareTestInput } from '../../wire/share-test.ts';
import { saidSettings } from './settings-schema.ts';

const text = z.string().min(1).max(300);
const MAX_CLAIMS = 100;
const texts = z.array(text).max(1_000);

export const shareTestInputSchema = z
  .strictObject({
    email: text.optional().openapi({ example: 'ann@example.com' }),
    provider: text
      .optional()
      .openapi({ description: 'Where the person logs in. Default: any of the share.' }),
    groups: texts.optional().openapi({ description: 'All groups of the person. `[]`: none.' }),
    claims: z
      .record(text, texts)
      .refine((claims) => Object.keys(claims).length <= MAX_CLAIMS, 'too many claims')
      .optional()
      .openapi({
        description: 'Values by claim. A claim that is left out is unknown.',
        maxProperties: MAX_CLAIMS,
      }),
    acr: text.optional(),
    address: text
      .refine((address) => parseIpAddress(address) !== null, 'not an IP address')
      .optional()
      .openapi({ description: 'The IP address of the client.' }),
    certificate: z
      .strictObject({ subject: text.optional(), unit: text.optional() })
      .nullable()
      .optional()
      .openapi({ description: 'A valid certificate of the account. `null`: the client has none.' }),
    token: text.nullable().optional().openapi({
      description:
        'The name of a valid service token. `null`: the client sends none, as a visitor who logged in. Where a rule asks for tokens, a token counts without the login.',
    }),
    path: z
      .string()
      .max(2_000)
      .regex(/^\/[^?#\s]*$/)
      .optional()
      .openapi({ description: 'Without the query.', example: '/admin/users' }),
    method: z
      .string()
      .max(20)
      .regex(/^[A-Z]+$/)
      .optional(),
    at: z.iso.datetime({ offset: true }).optional().openapi({ description: 'The moment. Default: now.' }),
    settings: z.strictObject(saidSettings).openapi('UnsavedShareSettings').optional().openapi({
      description:
        'Changes of the share to test before they are saved. The answer is that of the share with these changes. Nothing is stored.',
    }),
  })
  .openapi('ShareTestInput') satisfies z.ZodType<ShareTestInput>;

const held = z.enum(['held', 'failed', 'unknown']);
const rule = z
  .string()
  .openapi({ description: 'Its number, from 1, or the setting it comes from.', example: '2' });

export const shareTestSchema = z
  .object({
    share: z.string().openapi({ description: 'The name of the share.' }),
    email: z.string().nullable(),
    allowed: z.boolean().openapi({ description: 'Whether `outcome` is `allowed`.' }),
    outcome: z.enum(ADMISSION_OUTCOMES).openapi({
      description: '`depends`: facts that the question leaves out decide.',
    }),
    reason: z.enum(ADMISSION_REASONS).openapi({ description: 'A stable code.' }),
    detail: z.string().openapi({ description: 'The reason in words.' }),
    rule: rule.nullable().openapi({
      description:
        'The rule that allows, could allow, or denies: its number, or the setting it comes from. Null for none in particular.',
    }),
    rules: z
      .array(
        z.object({
          rule,
          effect: z.enum(['allow', 'deny']),
          held,
          conditions: z.array(z.object({ name: z.enum(CONDITION_NAMES), text: z.string(), held })),
        }),
      )
      .openapi({ description: 'Each rule and each of its conditions. `unknown`: a fact is left out.' }),
    provider: z
      .string()
      .nullable()
      .openapi({ description: 'The provider that people log in with. Null without a login.' }),
    pattern: z.string().nullable().openapi({
      description: 'The pattern of the share that matches. Null if none matches or none is required.',
    }),
    providerPattern: z.string().nullable().openapi({
      description:
        'The pattern of the provider definition that matches. Null if none matches or none is required.',
    }),
    certificate: z.enum(['none', 'needed', 'enough']).openapi({
      description:
        'Whether a client certificate is not required, required in addition, or sufficient without the login.',
    }),
    needsVerifiedEmail: z.boolean().openapi({
      description:
        'Whether the provider must confirm that the email address is verified. An address that it denies is never allowed.',
    }),
  })
  .openapi('ShareTest') satisfies z.ZodType<ShareTest>;
