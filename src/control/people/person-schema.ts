// The schemas of a person and of the end of their access.

import { z } from '@hono/zod-openapi';
import { parseEmailAddress } from '../../domain/email-address.ts';
import type { EndAccessInput, EndedAccessObject, NamedThing, PersonObject } from '../../wire/person.ts';
import { accessRequestSchema } from '../access/schema.ts';
import { revocationReasonSchema, tokenSchema } from '../certificates/schema.ts';
import { inputRefused } from '../input-fault.ts';
import { apiKeySchema } from './api-key-schema.ts';
import { memberFields } from './member-schema.ts';

const email = z.string().min(1).max(300).openapi({
  description: 'The email address, in upper or lower case.',
  example: 'ann@example.com',
});

export const personQuerySchema = z.strictObject({ email });

export const endAccessSchema = z
  .strictObject({
    email,
    membership: z.enum(['keep', 'remove']).optional().openapi({
      description:
        'Default `keep`: a member stays a member and can log in again. `remove` also deletes the member and their service tokens.',
    }),
    reason: revocationReasonSchema,
  })
  .openapi('EndAccess') satisfies z.ZodType<EndAccessInput>;

const count = z.number().int();

export const personSchema = z
  .object({
    member: z.object(memberFields).nullable().openapi({ description: 'Null if the person is not a member.' }),
    counts: z
      .object({
        sessions: count.openapi({
          description:
            'Active sessions at shares: of this email address, and of the member’s login under any other.',
        }),
        consoleSessions: count.openapi({ description: 'Active sessions of the member at the console.' }),
        certificates: count.openapi({
          description:
            'Valid client certificates with this email address, and those with an API role that the member created.',
        }),
        requestTokens: count.openapi({
          description: 'Certificate request tokens for such certificates that can be redeemed.',
        }),
        apiKeys: count.openapi({ description: 'API keys of the member.' }),
        serviceTokens: count.openapi({ description: 'Service tokens that the member created.' }),
      })
      .openapi({ description: 'What counts now.' }),
    requestTokens: z.array(tokenSchema),
    apiKeys: z.array(apiKeySchema),
    accessRequests: z
      .array(accessRequestSchema)
      .openapi({ description: 'The newest 50 requests for access, in any state.' }),
  })
  .openapi('Person') satisfies z.ZodType<PersonObject>;

const things = z.array(z.object({ id: z.string(), name: z.string() }) satisfies z.ZodType<NamedThing>);

export const endedAccessSchema = z
  .object({
    sessions: count.openapi({ description: 'How many active sessions at shares ended.' }),
    consoleSessions: count.openapi({ description: 'How many sessions at the console ended.' }),
    certificates: things.openapi({ description: 'The revoked certificates.' }),
    requestTokens: things.openapi({ description: 'The deleted certificate request tokens.' }),
    apiKeys: things.openapi({ description: 'The deleted API keys.' }),
    serviceTokens: z.object({ count, deleted: z.boolean() }).openapi({
      description:
        'Service tokens that the member created. They are deleted with the membership, and otherwise keep working.',
    }),
    membership: z.enum(['none', 'kept', 'removed']),
  })
  .openapi('EndedAccess') satisfies z.ZodType<EndedAccessObject>;

/** Throws `validation_failed`: what is no address names nobody, and must not look done. */
export function requireAddress(text: string): string {
  const address = parseEmailAddress(text.trim());
  if (address === null) throw inputRefused([{ path: 'email', message: 'send one email address' }]);
  return address;
}
