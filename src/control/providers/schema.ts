// The schemas that check requests about provider definitions (contract 2.4). Unknown fields are refused; whether a
// value fits the type is judged in `input.ts`.

import { z } from '@hono/zod-openapi';
import { MAX_LOGIN_PARAMETERS } from '../../domain/login-parameters.ts';
import { MAX_CLIENT_KEY_LENGTH } from '../../x509/client-key.ts';
import { MAX_AUTHORITIES_LENGTH } from '../../x509/trusted-authorities.ts';
import type {
  ConfiguredProvider,
  NewProvider,
  ProviderChanges,
  ProviderObject,
  ProviderPage,
} from '../../wire/provider.ts';
import { EMAIL_GLOB, PROVIDER_NAME } from '../text-patterns.ts';

const text = z.string().min(1).max(300);

/** Written, and never read back. */
const credential = {
  clientSecret: z.string().min(1).max(4_000).optional().openapi({
    description: 'As the provider gave it. Required, unless there is a `clientPrivateKey`.',
    example: 'CLIENT_SECRET',
  }),
  clientPrivateKey: z.string().min(1).max(MAX_CLIENT_KEY_LENGTH).optional().openapi({
    description:
      '`OIDC`, in place of `clientSecret` (`private_key_jwt`): PEM (PKCS#8) of RSA with at least 2048 bits, P-256, P-384 or Ed25519.',
  }),
  clientKeyId: text.optional().openapi({
    description:
      '`kid` of the private key at the provider. Set with `clientPrivateKey` alone; a new key without one has none.',
  }),
};

const type = z.enum(['OIDC', 'GOOGLE', 'GITHUB']).openapi({ description: 'Which kind of provider it is.' });

const config = {
  clientId: text,
  issuerUrl: text
    .optional()
    .openapi({ description: 'Required for `OIDC`.', example: 'https://id.example.com' }),
  scopes: z
    .array(text)
    .max(50)
    .optional()
    .openapi({
      description: 'Required for `OIDC`, with `openid` and `email`.',
      example: ['openid', 'email', 'profile'],
    }),
  supportsPkce: z.boolean().optional().openapi({ description: '`OIDC`. True unless said.' }),
  prompt: z.string().max(300).optional().openapi({
    description:
      'What to ask the provider for at each login: `login`, `consent`, `select_account`, or several. Empty: nothing. Absent: consent, once, when a share needs a refresh token and none came.',
    example: 'select_account',
  }),
  rpInitiatedLogout: z
    .boolean()
    .optional()
    .openapi({ description: '`OIDC`: a logout goes on to the provider’s own.' }),
  discoveryUrl: text.optional().openapi({
    description:
      '`OIDC`: where the metadata are, when not below the issuer. They must name that issuer all the same.',
    example: 'https://id.example.com/tenant/.well-known/openid-configuration',
  }),
  emailClaim: text.optional().openapi({
    description:
      '`OIDC`: the claim that holds the email address; `email` unless said. `email_verified` speaks of `email` alone.',
    example: 'upn',
  }),
  trustedAuthorities: z.string().min(1).max(MAX_AUTHORITIES_LENGTH).optional().openapi({
    description:
      'PEM: CA certificates that the provider’s servers must be certified by, in place of the public authorities.',
  }),
  loginParameters: z
    .record(z.string().max(64), text)
    .optional()
    .openapi({
      description:
        'Further parameters of the login request, at most 16. Those that the service sends itself are refused, such as `state`, `nonce`, `scope` and `redirect_uri`.',
      maxProperties: MAX_LOGIN_PARAMETERS,
      example: { domain_hint: 'example.com' },
    }),
  requireVerifiedEmail: z.boolean().optional().openapi({ description: '`OIDC`. The other types always do.' }),
  baseUrl: text.optional().openapi({ description: '`GITHUB`: an Enterprise Server.' }),
  apiUrl: text.optional().openapi({ description: '`GITHUB`: its API.' }),
  emailPatterns: z
    .array(text.openapi({ pattern: EMAIL_GLOB }))
    .max(100)
    .optional()
    .openapi({
      description: 'Email globs that every share using the definition must satisfy too.',
      example: ['*@partner.example'],
    }),
};

export const newProviderSchema = z
  .strictObject({
    name: text.openapi({
      pattern: PROVIDER_NAME,
      description: '1 to 40 of a-z, 0-9 and hyphens; it is in addresses.',
      example: 'partner',
    }),
    type,
    config: z
      .strictObject({ ...config, ...credential })
      .refine(({ clientSecret, clientPrivateKey }) => (clientSecret ?? clientPrivateKey) !== undefined, {
        path: ['clientSecret'],
        message: 'needed, unless there is a clientPrivateKey',
      }),
  })
  .openapi('NewAuthProvider') satisfies z.ZodType<NewProvider>;

/** Each field may be left out, or taken away by null. */
function removable<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
  const entries = Object.entries(shape).map(([field, schema]) => [field, schema.nullable().optional()]);
  return Object.fromEntries(entries) as {
    readonly [Field in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Field]>>;
  };
}

export const providerChangesSchema = z
  .strictObject({
    type: type.optional(),
    config: z
      .strictObject({
        ...removable(config),
        clientId: config.clientId.optional(),
        ...credential,
      })
      .optional()
      .openapi({
        description:
          'What is left out stays, the secret or private key too; null takes a field away. Another `type` needs a whole configuration of its own, with its secret or key.',
      }),
  })
  .openapi('AuthProviderChanges') satisfies z.ZodType<ProviderChanges>;

export const providerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    type,
    config: z.object(config),
    redirectUrl: z.string().openapi({ description: 'To register at the provider.' }),
    shares: z.number().int().openapi({ description: 'How many of the account’s shares log in with it.' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi('AuthProvider') satisfies z.ZodType<ProviderObject>;

const configuredProviderSchema = z
  .object({ name: z.string(), type, shares: z.number().int() })
  .openapi('ConfiguredAuthProvider') satisfies z.ZodType<ConfiguredProvider>;

export const providerPageSchema = z
  .object({
    items: z.array(providerSchema),
    nextCursor: z.string().nullable(),
    configured: z.array(configuredProviderSchema).openapi({
      description: 'The providers of the service’s configuration, which every account may use; on each page.',
    }),
    redirectUrlPattern: z.string().openapi({
      description: 'What is registered at a provider that will be defined as `{name}`.',
      example: 'https://auth.example.com/{name}/auth/callback',
    }),
  })
  .openapi('AuthProviderPage') satisfies z.ZodType<ProviderPage>;

export const providerParamsSchema = z.strictObject({
  provider: z
    .string()
    .max(300)
    .openapi({ param: { name: 'provider', in: 'path' }, description: 'Its name.', example: 'partner' }),
});
