// The rules of a share as callers write them and as they are shown. What a value must be, `parse-rules.ts`
// says, with the place of whatever is wrong.

import { z } from '@hono/zod-openapi';
import { MAX_RULE_VALUES, MAX_RULES } from '../../domain/access-rule.ts';

const text = z.string().max(1_024);
const texts = z.array(text).min(1, 'it is empty').max(MAX_RULE_VALUES);
const glob = text.nullable().optional();

const conditionsSchema = z
  .strictObject({
    everyone: z.literal(true).optional().openapi({ description: 'Whoever comes, without a login.' }),
    until: text.optional().openapi({ description: 'The last day, in UTC, or a moment (RFC 3339).' }),
    methods: texts.optional(),
    paths: texts.optional().openapi({ description: 'Whole paths, or the start of one, ending in /*.' }),
    addresses: texts.optional().openapi({ description: 'Ranges that hold the client’s address.' }),
    outside: texts.optional().openapi({ description: 'Ranges none of which holds it.' }),
    tokens: texts.optional().openapi({ description: 'Globs over names of service tokens.' }),
    certificate: z.strictObject({ subject: glob, unit: glob }).optional(),
    providers: texts.optional(),
    emails: texts.optional().openapi({ description: 'Email globs.' }),
    groups: texts.optional().openapi({ description: 'Globs over groups.' }),
    claims: z.record(z.string().max(256), texts).optional().openapi({ description: 'Globs by claim.' }),
    acr: texts.optional(),
    max_age: text.optional().openapi({ description: 'A duration since the person proved who they are.' }),
  })
  .openapi('RuleConditions');

const ruleSchema = z
  .strictObject({ allow: conditionsSchema.optional(), deny: conditionsSchema.optional() })
  .openapi('AccessRule', { description: 'Either `allow` or `deny`.' });

export const rulesSchema = z.array(ruleSchema).max(MAX_RULES);

export const RULE_EXAMPLE = [{ allow: { providers: ['corp'], groups: ['eng-*'] } }];
