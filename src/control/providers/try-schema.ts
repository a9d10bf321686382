// What examining a provider found, as the API describes it.

import { z } from '@hono/zod-openapi';
import type { ProviderTestObject } from '../../wire/provider-test.ts';

export const checkSchema = z
  .object({
    name: z.string().openapi({ description: 'What was checked.', example: 'issuer' }),
    state: z
      .enum(['ok', 'warn', 'fail'])
      .openapi({ description: '`warn`: works, or may work. `fail`: does not work.' }),
    found: z.string(),
    next: z.string().nullable().openapi({ description: 'What to do. Null if nothing needs to be done.' }),
  })
  .openapi('Check');

export const providerTestSchema = z
  .object({
    provider: z.string(),
    passed: z.boolean().openapi({ description: 'True if no check failed.' }),
    checks: z.array(checkSchema),
    redirectUrl: z.string().openapi({ description: 'The redirect URL to register at the provider.' }),
    backchannelLogoutUrl: z
      .string()
      .nullable()
      .openapi({ description: 'The URL to register for OpenID Connect Back-Channel Logout.' }),
    postLogoutRedirectUrl: z
      .string()
      .nullable()
      .openapi({ description: 'The URL to register if logouts continue at the provider.' }),
    notSeen: z
      .array(z.string())
      .openapi({ description: 'Settings that matter for sensitive use and cannot be checked from outside.' }),
  })
  .openapi('AuthProviderTest') satisfies z.ZodType<ProviderTestObject>;
