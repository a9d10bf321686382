// Who gets in before and after a change of a share, as the audit tells it.

import { z } from '@hono/zod-openapi';
import type { AccessChangeObject } from '../../wire/audit-event.ts';
import { shownSettings } from '../shares/settings-schema.ts';
import { RULE_EXAMPLE, rulesSchema } from '../shares/rule-schema.ts';

const texts = z.array(z.string()).optional();
const glob = z.string().nullable();

const settingsSchema = z.object({
  oauthProvider: shownSettings.oauthProvider.optional(),
  oauthEmailAddressPatterns: texts,
  clientCertificate: z.object({ subject: glob, unit: glob }).nullable().optional(),
  access: z.enum(['all', 'either']).optional(),
  allowGroups: texts,
  allowPaths: texts,
  allowAddresses: texts,
  denyEmails: texts,
  rules: rulesSchema.optional(),
});

export const accessChangeSchema = z
  .object({
    before: settingsSchema.nullable().openapi({ description: 'Null for a new share.' }),
    after: settingsSchema.nullable().openapi({ description: 'Null for a deleted share.' }),
    omitted: z
      .int()
      .min(0)
      .openapi({ description: 'How many values of lists were left out because a list was too long.' }),
  })
  .openapi('AccessChange', {
    description:
      'The settings of who gets in, before and after a change of a share. Of a list of more than 4,000 characters, only what the other side does not have.',
    example: { before: { rules: [] }, after: { rules: RULE_EXAMPLE }, omitted: 0 },
  }) satisfies z.ZodType<AccessChangeObject>;
