// The options that make or change a provider definition: one for each field of its configuration, so that
// none is missing here.

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ProviderConfigChanges } from '../../wire/provider.ts';
import {
  FIELD_NAMES,
  type FieldForm,
  type FieldName,
  PROVIDER_FIELDS,
} from '../../domain/provider-fields.ts';
import { definitionTypeOf, PRIVATE_KEY_TYPES, typesWith } from '../../domain/provider-kinds.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { isIconName } from '../../domain/provider-icon.ts';
import { readIconFile, readSecretFile, readTextFile } from './definition-file.ts';
import { gatheringOption, onceOption } from '../option-parsers.ts';

type Field = keyof ProviderConfigChanges;

type FieldOption = {
  readonly flags: string;
  readonly about: string;
  /** `switch` has a `--no-` form, too; `secret` and `file` name a file that holds the value, `icon` may. */
  readonly kind: 'text' | 'list' | 'pairs' | 'switch' | 'secret' | 'file' | 'icon';
};

const KEYED = PRIVATE_KEY_TYPES.map(definitionTypeOf).join(', ');
const CLIENT_OPTIONS = {
  clientId: { flags: '--client-id <id>', about: 'the client id', kind: 'text' },
  clientSecret: {
    flags: '--client-secret-file <file>',
    about: 'a file with the client secret; - for standard input',
    kind: 'secret',
  },
  clientPrivateKey: {
    flags: '--client-private-key-file <file>',
    about: `a private key (PEM) to authenticate with in place of a secret (${KEYED}); - for standard input`,
    kind: 'file',
  },
  clientKeyId: {
    flags: '--client-key-id <id>',
    about: `the id (kid) of the private key at the provider, with the key (${KEYED})`,
    kind: 'text',
  },
} as const satisfies Readonly<Record<Exclude<Field, FieldName>, FieldOption>>;

const KINDS: Readonly<Record<FieldForm, FieldOption['kind']>> = {
  address: 'text',
  'document address': 'text',
  'base address': 'text',
  scopes: 'list',
  switch: 'switch',
  prompt: 'text',
  claim: 'text',
  claims: 'list',
  'acr values': 'list',
  duration: 'text',
  'display name': 'text',
  icon: 'icon',
  authorities: 'file',
  parameters: 'pairs',
  patterns: 'list',
};

const OPTIONS = {
  ...CLIENT_OPTIONS,
  ...Object.fromEntries(FIELD_NAMES.map((name) => [name, optionOf(name)])),
} as Readonly<Record<Field, FieldOption>>;

function optionOf(name: FieldName): FieldOption {
  const { flags, about, form } = PROVIDER_FIELDS[name];
  const types = typesWith(name);
  return { flags, about: types.length === 0 ? about : `${about} (${types.join(', ')})`, kind: KINDS[form] };
}

const FIELDS = Object.keys(OPTIONS) as readonly Field[];
/** Without a client id or a credential there is no login. */
const KEPT: ReadonlySet<string> = new Set(['clientId', 'clientSecret', 'clientPrivateKey', 'clientKeyId']);
const REMOVABLE: readonly string[] = FIELDS.filter((field) => !KEPT.has(field));

export function addProviderOptions(command: Command): Command {
  for (const field of FIELDS) {
    const { flags, about, kind } = OPTIONS[field];
    if (kind === 'list' || kind === 'pairs') command.addOption(gatheringOption(flags, about));
    else if (kind !== 'switch') command.addOption(onceOption(flags, about));
    else command.option(flags, about).option(flags.replace('--', '--no-'), 'turn this off');
  }
  return command;
}

/**
 * What was given, with the secret read from its file. Throws `usage` for a field that is both set and
 * removed.
 */
export async function givenConfig(
  options: Readonly<Record<string, unknown>>,
): Promise<ProviderConfigChanges> {
  const given: [string, unknown][] = [];
  for (const field of FIELDS) {
    const { flags, kind } = OPTIONS[field];
    const value = options[new Option(flags).attributeName()];
    if (value === undefined) continue;
    given.push([field, await valueOf(kind, value)]);
  }
  for (const field of (options['unset'] ?? []) as readonly string[]) {
    if (given.some(([named]) => named === field))
      throw new ServiceError('usage', `Cannot remove ${field}: it is set by the same command`);
    given.push([field, null]);
  }
  return Object.fromEntries(given);
}

async function valueOf(kind: FieldOption['kind'], value: unknown): Promise<unknown> {
  if (kind === 'secret') return readSecretFile(String(value));
  if (kind === 'file') return readTextFile(String(value));
  if (kind === 'icon') return isIconName(String(value)) ? value : readIconFile(String(value));
  return kind === 'pairs' ? pairsOf(value as readonly string[]) : value;
}

function pairsOf(texts: readonly string[]): Readonly<Record<string, string>> {
  const pairs = texts.map((text) => {
    const at = text.indexOf('=');
    if (at > 0) return [text.slice(0, at), text.slice(at + 1)] as const;
    throw new ServiceError('usage', `Cannot read the login parameter "${text}": write name=value`);
  });
  return Object.fromEntries(pairs);
}

export function unsetOption(): Option {
  const about = `reset a field to the default of the type:  ${REMOVABLE.join(', ')}; repeatable`;
  const option = gatheringOption('--unset <field>', about);
  return option.argParser<readonly string[]>((value, previous) => {
    if (!REMOVABLE.includes(value))
      throw new InvalidArgumentError(`Allowed choices are ${REMOVABLE.join(', ')}.`);
    return [...(previous ?? []), value];
  });
}
