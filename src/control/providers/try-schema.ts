// What examining a provider found, as the API describes it.

import { z } from '@hono/zod-openapi';
import type { ProviderTestObject } from '../../wire/provider-test.ts';

const checkSchema = z
  .object({
    name: z.string().openapi({ description: 'What was looked at.', example: 'issuer' }),
    state: z
      .enum(['ok', 'warn', 'fail'])
      .openapi({ description: '`warn` works today, or may work; `fail` does not.' }),
    found: z.string(),
    next: z.string().nullable().openapi({ description: 'What to do; null where nothing is to be done.' }),
  })
  .openapi('Check');

export const providerTestSchema = z
  .object({
    provider: z.string(),
    passed: z.boolean().openapi({ description: 'No check failed.' }),
    checks: z.array(checkSchema),
    redirectUrl: z.string().openapi({ description: 'To register at the provider.' }),
    backchannelLogoutUrl: z
      .string()
      .nullable()
      .openapi({ description: 'To register for OpenID Connect Back-Channel Logout.' }),
    postLogoutRedirectUrl: z
      .string()
      .nullable()
      .openapi({ description: 'To register if a logout goes on to the provider.' }),
    notSeen: z
      .array(z.string())
      .openapi({ description: 'What cannot be seen from outside, and matters for sensitive use.' }),
  })
  .openapi('AuthProviderTest') satisfies z.ZodType<ProviderTestObject>;
