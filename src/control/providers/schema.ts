// The schemas that check requests about provider definitions (contract 2.4). Unknown fields are refused;
// whether a value fits the type is judged in `input.ts`.

import { z } from '@hono/zod-openapi';
import {
  FIELD_NAMES,
  type FieldForm,
  type FieldName,
  type GivenValues,
  PROVIDER_FIELDS,
} from '../../domain/provider-fields.ts';
import {
  DEFINITION_TYPES,
  definitionTypeOf,
  PRIVATE_KEY_TYPES,
  typesNeeding,
  typesWith,
} from '../../domain/provider-kinds.ts';
import { MAX_LOGIN_PARAMETERS } from '../../domain/login-parameters.ts';
import { MAX_DISPLAY_NAME, MAX_ICON_LENGTH } from '../../domain/provider-icon.ts';
import { MAX_ACR_VALUES, MAX_CLAIMS } from '../../domain/provider-rules.ts';
import { MAX_CLIENT_KEY_LENGTH } from '../../x509/client-key.ts';
import { MAX_AUTHORITIES_LENGTH } from '../../x509/trusted-authorities.ts';
import type {
  ConfiguredProvider,
  NewProvider,
  ProviderChanges,
  ProviderFindingObject,
  ProviderNameObject,
  ProviderNamePage,
  ProviderObject,
  ProviderPage,
} from '../../wire/provider.ts';
import type { StateProvider } from '../../wire/state.ts';
import { checkSchema } from './try-schema.ts';
import { EMAIL_GLOB, PROVIDER_NAME } from '../text-patterns.ts';

const text = z.string().min(1).max(300);

/** Written, and never read back. */
const credential = {
  clientSecret: z.string().min(1).max(4_000).optional().openapi({
    description: 'The secret from the provider. Required unless there is a `clientPrivateKey`.',
    example: 'CLIENT_SECRET',
  }),
  clientPrivateKey: z
    .string()
    .min(1)
    .max(MAX_CLIENT_KEY_LENGTH)
    .optional()
    .openapi({
      description: `${inWords(PRIVATE_KEY_TYPES.map(definitionTypeOf))}, instead of \`clientSecret\` (\`private_key_jwt\`): an RSA key of 2048 to 4096 bits, P-256, P-384 or Ed25519, as PEM (PKCS#8).`,
    }),
  clientKeyId: text.optional().openapi({
    description: 'The `kid` of the private key at the provider. Allowed only with `clientPrivateKey`.',
  }),
};

const type = z.enum([...DEFINITION_TYPES]).openapi({ description: 'The type of the provider.' });

/** How a value of each form looks. */
const FORMS: Readonly<Record<FieldForm, z.ZodType>> = {
  address: text,
  'document address': text,
  'base address': text,
  scopes: z.array(text).max(50),
  switch: z.boolean(),
  prompt: z.string().max(300),
  claim: text,
  claims: z.array(text).max(MAX_CLAIMS),
  'acr values': z.array(text).max(MAX_ACR_VALUES),
  duration: text,
  'display name': z
    .string()
    .min(1)
    .max(4 * MAX_DISPLAY_NAME),
  icon: z.string().min(1).max(MAX_ICON_LENGTH),
  authorities: z.string().min(1).max(MAX_AUTHORITIES_LENGTH),
  parameters: z.record(z.string().max(64), text).openapi({ maxProperties: MAX_LOGIN_PARAMETERS }),
  patterns: z.array(text.openapi({ pattern: EMAIL_GLOB })).max(100),
};

const fields = Object.fromEntries(
  FIELD_NAMES.map((name) => [
    name,
    FORMS[PROVIDER_FIELDS[name].form].optional().openapi(descriptionOf(name)),
  ]),
) as unknown as { readonly [Field in FieldName]: z.ZodOptional<z.ZodType<NonNullable<GivenValues[Field]>>> };

/** In the words of its record, with the types that have it, and those that need it. */
function descriptionOf(name: FieldName): { readonly description: string; readonly example?: unknown } {
  const { description, example } = PROVIDER_FIELDS[name];
  const [having, needing] = [inWords(typesWith(name)), inWords(typesNeeding(name))];
  const ofTypes = having === '' ? description : `${having}: ${lowered(description)}`;
  return {
    description: needing === '' ? ofTypes : `${ofTypes} Required for ${needing}.`,
    ...(example === undefined ? {} : { example }),
  };
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function inWords(types: readonly string[]): string {
  return types.map((each) => `\`${each}\``).join(', ');
}

const config = { clientId: text, ...fields };

export const newProviderSchema = z
  .strictObject({
    name: text.openapi({
      pattern: PROVIDER_NAME,
      description: 'Use 1 to 40 of a-z, 0-9 and hyphens. Part of the provider’s URLs.',
      example: 'partner',
    }),
    type,
    config: z
      .strictObject({ ...config, ...credential })
      .refine(({ clientSecret, clientPrivateKey }) => (clientSecret ?? clientPrivateKey) !== undefined, {
        path: ['clientSecret'],
        message: 'required unless there is a clientPrivateKey',
      }),
  })
  .openapi('NewAuthProvider') satisfies z.ZodType<NewProvider>;

/** Of a state: what is there already keeps its credential. */
export const stateProviderSchema = z
  .strictObject({
    name: text.openapi({ pattern: PROVIDER_NAME, example: 'partner' }),
    type,
    config: z.strictObject({ ...config, ...credential }),
  })
  .openapi('StateProvider') satisfies z.ZodType<StateProvider>;

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
          'Omitted fields stay as they are, including the secret or private key. Null removes a field. A new `type` requires a complete configuration, with its secret or key.',
      }),
  })
  .openapi('AuthProviderChanges') satisfies z.ZodType<ProviderChanges>;

const findingSchema = z
  .object({
    at: z.iso.datetime(),
    actor: z.string().openapi({ description: 'Who tested: `member:mem_…` or `api-key:key_…`.' }),
    passed: z.boolean(),
    email: z.string().nullable().openapi({ description: 'Whom a trial that passed named.' }),
    reason: z.string().nullable().openapi({ description: 'The code of a trial that failed.' }),
    checks: z
      .array(checkSchema)
      .openapi({ description: 'What did not pass, at most 12 findings. Empty if all passed.' }),
    isOutdated: z.boolean().openapi({ description: 'Whether the settings changed since.' }),
  })
  .openapi('AuthProviderFinding') satisfies z.ZodType<ProviderFindingObject>;

const standing = {
  lastLoginAt: z.iso.datetime().nullable().openapi({
    description: 'Of the latest 2,000 logins of the account. Null if none was with this provider.',
  }),
  lastTest: findingSchema.nullable(),
  lastTrial: findingSchema.nullable(),
};

export const providerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    type,
    config: z.object(config),
    redirectUrl: z.string().openapi({ description: 'The redirect URL to register at the provider.' }),
    shares: z.number().int().openapi({ description: 'How many shares of the account use it.' }),
    ...standing,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi('AuthProvider') satisfies z.ZodType<ProviderObject>;

/** Of a provider of the configuration, as visitors see it. */
export const shownIcon = z.string().nullable().openapi({
  description:
    'The name of an icon of Doorward, or a `data:` URL. Null for the first letter of the display name.',
});

const configuredProviderSchema = z
  .object({
    name: z.string(),
    displayName: z.string(),
    icon: shownIcon,
    type,
    shares: z.number().int(),
    ...standing,
  })
  .openapi('ConfiguredAuthProvider') satisfies z.ZodType<ConfiguredProvider>;

export const providerPageSchema = z
  .object({
    items: z.array(providerSchema),
    nextCursor: z.string().nullable(),
    configured: z.array(configuredProviderSchema).openapi({
      description: 'The providers of the service’s configuration, which every account can use. On each page.',
    }),
    redirectUrlPattern: z.string().openapi({
      description: 'The URLs to register at a provider that will be defined as `{name}`.',
      example: 'https://auth.example.com/{name}/auth/callback',
    }),
  })
  .openapi('AuthProviderPage') satisfies z.ZodType<ProviderPage>;

const providerNameSchema = z
  .object({
    name: z.string(),
    displayName: z.string().openapi({ description: 'As visitors see it where they choose a provider.' }),
  })
  .openapi('AuthProviderName') satisfies z.ZodType<ProviderNameObject>;

export const providerNamePageSchema = z
  .object({ items: z.array(providerNameSchema), nextCursor: z.string().nullable() })
  .openapi('AuthProviderNamePage') satisfies z.ZodType<ProviderNamePage>;

export const providerParamsSchema = z.strictObject({
  provider: z
    .string()
    .max(300)
    .openapi({
      param: { name: 'provider', in: 'path' },
      description: 'The name of the definition.',
      example: 'partner',
    }),
});
