// What every key of a state file is (`doorward apply`): as `describe.ts` is for `doorward.yaml`. Each is the
// name of the API in snake case.

import { FIELD_NAMES, type FieldForm, PROVIDER_FIELDS } from '../domain/provider-fields.ts';
import {
  DEFINITION_TYPES,
  PRIVATE_KEY_TYPES,
  definitionTypeOf,
  typesNeeding,
  typesWith,
} from '../domain/provider-kinds.ts';
import { SETTINGS, snakeCase } from '../domain/share-values.ts';
import type { Part, Setting } from '../domain/share-setting.ts';
import type { Field, Fields } from './describe.ts';

const FORM_TYPES: Readonly<Record<FieldForm, string>> = {
  address: 'URL',
  'document address': 'URL',
  'base address': 'URL',
  scopes: 'list of scopes',
  switch: 'boolean',
  prompt: 'text',
  claim: 'name of a claim',
  claims: 'list of names of claims',
  'acr values': 'list of texts',
  duration: 'duration',
  'display name': 'text',
  icon: 'text',
  authorities: 'text (PEM)',
  parameters: 'mapping of texts',
  patterns: 'list of globs',
};

export const STATE_FIELDS = {
  providers: {
    type: 'list',
    absent: { means: 'not managed' },
    meaning: 'Providers that the account defines. Those of `doorward.yaml` are the operator’s.',
  },
  shares: {
    type: 'list',
    absent: { means: 'not managed' },
    meaning: 'Shares with their rules and settings. Ephemeral shares belong to their agents.',
  },
  hosts: { type: 'list', absent: { means: 'not managed' }, meaning: 'Custom hosts of shares.' },
  tokens: { type: 'list', absent: { means: 'not managed' }, meaning: 'Service tokens.' },
  webhooks: { type: 'list', absent: { means: 'not managed' }, meaning: 'Webhooks for audit events.' },
  certificate_policy: {
    type: 'section',
    absent: { means: 'not managed' },
    meaning: 'What certificate request tokens of the account can request. `{}` is no restriction.',
  },
} as const satisfies Fields;

const OPEN =
  'Confirms that a share without a login and a client certificate is open to everyone. Such a share needs it.';
const SECRET_TYPE = '`{ env: NAME }` or `{ file: PATH }`';

/** Beside the fields that the type has. */
export const STATE_PROVIDER_FIELDS = {
  name: {
    type: 'text of a-z, 0-9 and -, at most 40',
    absent: 'required',
    meaning: 'Unique. Shares and rules name it; it is part of the provider’s URLs.',
  },
  type: {
    type: DEFINITION_TYPES.map((type) => `\`${type}\``).join(', '),
    absent: 'required',
    meaning: 'The type of the provider.',
  },
  client_id: { type: 'text', absent: 'required', meaning: 'The client ID from the provider.' },
  client_secret: {
    type: SECRET_TYPE,
    absent: { means: 'the provider keeps its secret; a new one needs it' },
    meaning: 'The client secret from the provider.',
  },
  client_private_key: {
    type: SECRET_TYPE,
    absent: { means: 'the provider keeps its key' },
    meaning: `${PRIVATE_KEY_TYPES.map((type) => `\`${definitionTypeOf(type)}\``).join(', ')}: a private key (PEM) instead of a client secret.`,
  },
  client_key_id: {
    type: 'text',
    absent: { means: 'none' },
    meaning: 'The `kid` of the private key at the provider. Only with `client_private_key`.',
  },
} as const satisfies Fields;

/** Those of all types: each has some of them. */
export const STATE_PROVIDER_SETTINGS: Fields = Object.fromEntries(
  FIELD_NAMES.map((name) => [snakeCase(name), providerField(name)]),
);

export const STATE_SHARE_FIELDS: Fields = {
  name: {
    type: 'text of a-z, 0-9 and -, at most 40',
    absent: 'required',
    meaning: 'Unique. The first label of the share’s address.',
  },
  target: {
    type: 'URL: scheme, host and port',
    absent: { means: '`tunnel` or `behind` is needed' },
    meaning: 'The backend that the gateway reaches itself: `http://10.0.0.5:3000`.',
  },
  tunnel: {
    type: '`reserved`',
    absent: { means: '`target` or `behind` is needed' },
    meaning: 'Agents serve the share (`doorward agent`).',
  },
  ...Object.fromEntries(SETTINGS.map(([name, setting]) => [snakeCase(name), shareField(setting)])),
};

/** Of each setting that is a section of its own. */
export const STATE_SECTION_FIELDS: Readonly<Record<string, Fields>> = Object.fromEntries(
  SETTINGS.flatMap(([name, setting]) => {
    if (setting.kind !== 'section') return [];
    const { required, parts } = setting;
    const fields: Fields = {
      required: { type: 'boolean', absent: 'required', meaning: required.meaning },
      ...Object.fromEntries(Object.entries(parts).map(([part, about]) => [part, shareField(about)])),
    };
    return [[snakeCase(name), fields] as const];
  }),
);

export const STATE_HOST_FIELDS = {
  host: { type: 'host name', absent: 'required', meaning: 'Lower case, without a port.' },
  share: {
    type: 'name of a share',
    absent: 'required',
    meaning:
      'The share that answers there. A host that moves to another share must be verified again, unless the operator granted it.',
  },
} as const satisfies Fields;

export const STATE_TOKEN_FIELDS = {
  name: {
    type: 'text of a-z, 0-9 and -, at most 40',
    absent: 'required',
    meaning: 'Unique. Rules of shares name it.',
  },
  shares: {
    type: 'list of names of shares',
    absent: 'required',
    meaning: 'Where the token counts. Other shares replace the token: it gets a new secret.',
  },
  expires_at: {
    type: 'time (RFC 3339)',
    absent: { means: '`expires_in` is needed' },
    meaning: 'When the token expires, at most 397 days from now. Another time replaces the token.',
  },
  expires_in: {
    type: 'duration',
    absent: { means: '`expires_at` is needed' },
    meaning:
      'How long a token is valid that `doorward apply` creates. An existing token stays until it expires; then it is created again.',
  },
} as const satisfies Fields;

export const STATE_WEBHOOK_FIELDS = {
  name: { type: 'text', absent: { means: 'none' }, meaning: 'A note for people.' },
  url: { type: 'https URL', absent: 'required', meaning: 'Where events are sent.' },
  kinds: {
    type: 'list of audit event kinds',
    absent: { default: [] },
    meaning: 'The events to send. Empty: all.',
  },
  enabled: { type: 'boolean', absent: { default: true }, meaning: 'Whether events are sent.' },
  secret: {
    type: SECRET_TYPE,
    absent: { means: 'the webhook keeps its secret; a new one gets a generated secret' },
    meaning: 'The secret that signs deliveries: 24 to 300 printable ASCII characters.',
  },
} as const satisfies Fields;

export const STATE_POLICY_FIELDS = {
  organization: { type: 'text', absent: { means: 'any' }, meaning: 'What every subject must contain.' },
  organizational_units: {
    type: 'list of texts',
    absent: { default: [] },
    meaning: 'The allowed values. Empty: any.',
  },
  common_name_pattern: {
    type: 'glob',
    absent: { means: 'any name' },
    meaning: 'What common names must match.',
  },
  max_validity: { type: 'duration', absent: { means: 'no limit' }, meaning: 'The longest validity.' },
  renewal_by_login: {
    type: 'boolean',
    absent: { default: false },
    meaning: 'Whether people can renew their own certificates under “My access”.',
  },
  renewable_for: {
    type: 'duration or `none`',
    absent: { means: '`397d`' },
    meaning: 'How long after the first certificate it can be renewed.',
  },
} as const satisfies Fields;

function providerField(name: (typeof FIELD_NAMES)[number]): Field {
  const { description, form } = PROVIDER_FIELDS[name];
  const [having, needing] = [typesWith(name), typesNeeding(name)];
  const only = having.length === 0 ? '' : ` ${inWords(having)}.`;
  return {
    type: FORM_TYPES[form],
    absent: { means: needing.length === 0 ? 'as the type has it' : `needed for ${inWords(needing)}` },
    meaning: `${description}${only}`,
  };
}

function inWords(types: readonly string[]): string {
  return types.map((type) => `\`${type}\``).join(', ');
}

function shareField({ kind, file, unset, description }: Setting | Part): Field {
  if (file === undefined)
    return {
      type: 'boolean',
      absent: { default: unset === true },
      meaning: description.replace(/ Default (?:true|false)\.$/, ''),
    };
  const { type, unsaid = 'none', unsaidInState, meaning } = file;
  if (kind === 'confirmation') return { type, absent: { default: false }, meaning: OPEN };
  if (unsaidInState !== undefined) return { type, absent: { means: unsaidInState }, meaning };
  return { type, absent: { means: unsaid.replace(/ for a new (?:one|share)$/, '') }, meaning };
}
