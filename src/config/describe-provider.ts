// What every key of an entry under `oauth.providers` is (contract 2.2), as `describe.ts` says it of the other
// sections: derived from the records of the types.

import { type FieldForm, PROVIDER_FIELDS } from '../domain/provider-fields.ts';
import type { OwnField, ProviderKind } from '../domain/provider-kind.ts';
import {
  COMMON_FIELDS,
  fieldsOf,
  kindOf,
  PRIVATE_KEY_TYPES,
  PROVIDER_TYPES,
  type ProviderType,
} from '../domain/provider-kinds.ts';
import type { Field, Fields } from './describe.ts';

/** In words of the file. */
const VALUE_TYPES: Readonly<Record<FieldForm, string>> = {
  address: 'URL',
  'document address': 'URL',
  'base address': 'URL',
  scopes: 'list of scopes',
  switch: 'boolean',
  prompt: 'text',
  claim: 'text',
  claims: 'list of claims',
  'acr values': 'list of classes',
  duration: 'duration',
  'display name': 'text',
  icon: 'name or path',
  authorities: 'path',
  parameters: 'mapping',
  patterns: 'list of globs',
};

/** Of every type. */
export const PROVIDER_ENTRY_FIELDS = {
  name: {
    type: 'text of a-z, 0-9 and -, at most 40',
    absent: 'required',
    meaning: "Unique. Part of the provider's URLs: `/<name>/auth/callback`, `/<name>/logout`.",
  },
  type: {
    type: inWords(spelled(PROVIDER_TYPES)),
    absent: 'required',
    meaning: 'The type of the provider, which decides the other keys.',
  },
  client_id: { type: 'text', absent: 'required', meaning: 'The client id from the provider.' },
  client_secret: {
    type: 'text',
    absent: 'required',
    secret: true,
    meaning: `The client secret from the provider. A provider of type ${inWords(spelled(PRIVATE_KEY_TYPES))} can have \`client_private_key_file\` instead.`,
  },
  ...described(COMMON_FIELDS),
} satisfies Fields;

/** Of the types whose clients may have one. */
const PRIVATE_KEY_FIELDS = {
  client_private_key_file: {
    type: 'path',
    absent: { means: '`client_secret`' },
    meaning:
      'A private key (PEM, PKCS#8, at most 8 KiB) for authentication (`private_key_jwt`) instead of `client_secret`: RSA of 2048 to 4096 bits, P-256, P-384 or Ed25519.',
  },
  client_key_id: {
    type: 'text',
    absent: { means: 'no `kid`' },
    meaning:
      'The `kid` of the assertions that the private key signs: the id of its public key at the provider.',
  },
} as const satisfies Fields;

/** Beside `PROVIDER_ENTRY_FIELDS`, by type. */
export const OWN_PROVIDER_FIELDS = Object.fromEntries(
  PROVIDER_TYPES.map((type) => [type, ownFields(kindOf(type))]),
) as Readonly<Record<ProviderType, Fields>>;

function ownFields({ fields, takesPrivateKey }: ProviderKind): Fields {
  const own = Object.entries(fields).filter(([name]) => !Object.hasOwn(COMMON_FIELDS, name));
  return { ...described(Object.fromEntries(own)), ...(takesPrivateKey ? PRIVATE_KEY_FIELDS : {}) };
}

/** Those that the file has. */
function described(fields: ProviderKind['fields']): Fields {
  const entries = fieldsOf({ fields }).flatMap(([name, own]): readonly (readonly [string, Field])[] => {
    const { file, form } = PROVIDER_FIELDS[name];
    return file === null
      ? []
      : [[file, { type: VALUE_TYPES[form], absent: absentOf(own), meaning: own.meaning }]];
  });
  return Object.fromEntries(entries);
}

function absentOf({ required, without, absent }: OwnField): Field['absent'] {
  if (required !== undefined) return 'required';
  if (without !== undefined) return { means: without };
  return { default: absent as string | boolean | readonly string[] };
}

function spelled(types: readonly ProviderType[]): readonly string[] {
  return types.map((type) => `\`${type}\``);
}

function inWords(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' or ');
}
