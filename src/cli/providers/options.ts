// The options that change a provider definition: one for each field of its configuration, so that none is missing here.

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ProviderConfigChanges } from '../../wire/provider.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { readSecretFile, readTextFile } from './definition-file.ts';
import { gatheringOption, onceOption } from '../option-parsers.ts';

type Field = keyof ProviderConfigChanges;

type FieldOption = {
  readonly flags: string;
  readonly about: string;
  /** `switch` has a `--no-` form, too; `secret` and `file` name a file that holds the value. */
  readonly kind: 'text' | 'list' | 'pairs' | 'switch' | 'secret' | 'file';
};

const OPTIONS: Readonly<Record<Field, FieldOption>> = {
  clientId: { flags: '--client-id <id>', about: 'the client id', kind: 'text' },
  clientSecret: {
    flags: '--client-secret-file <file>',
    about: 'a file with the new client secret; - for standard input',
    kind: 'secret',
  },
  clientPrivateKey: {
    flags: '--client-private-key-file <file>',
    about: 'a private key (PEM) to authenticate with in place of a secret (OIDC); - for standard input',
    kind: 'file',
  },
  clientKeyId: {
    flags: '--client-key-id <id>',
    about: 'the id (kid) of the private key at the provider, with the key (OIDC)',
    kind: 'text',
  },
  issuerUrl: { flags: '--issuer-url <url>', about: 'the issuer (OIDC)', kind: 'text' },
  scopes: {
    flags: '--scope <scope>',
    about: 'a scope to ask for; repeatable, replaces them all',
    kind: 'list',
  },
  supportsPkce: { flags: '--supports-pkce', about: 'the provider supports PKCE (OIDC)', kind: 'switch' },
  prompt: { flags: '--prompt <prompt>', about: 'what to ask the provider for at each login', kind: 'text' },
  requireVerifiedEmail: {
    flags: '--require-verified-email',
    about: 'let verified addresses in alone (OIDC)',
    kind: 'switch',
  },
  rpInitiatedLogout: {
    flags: '--rp-initiated-logout',
    about: 'a logout goes on to the one of the provider (OIDC)',
    kind: 'switch',
  },
  discoveryUrl: {
    flags: '--discovery-url <url>',
    about: 'where its metadata are, when not below the issuer (OIDC)',
    kind: 'text',
  },
  emailClaim: {
    flags: '--email-claim <claim>',
    about: 'the claim that the address is in (OIDC)',
    kind: 'text',
  },
  trustedAuthorities: {
    flags: '--trusted-authorities-file <file>',
    about: 'certificate authorities in PEM, believed in place of the public ones',
    kind: 'file',
  },
  loginParameters: {
    flags: '--login-parameter <name=value>',
    about: 'a further parameter of the login request; repeatable, replaces them all',
    kind: 'pairs',
  },
  baseUrl: { flags: '--base-url <url>', about: 'an Enterprise Server (GITHUB)', kind: 'text' },
  apiUrl: { flags: '--api-url <url>', about: 'its API (GITHUB)', kind: 'text' },
  emailPatterns: {
    flags: '--email-pattern <glob>',
    about: 'a glob for the addresses that it may let in; repeatable, replaces them all',
    kind: 'list',
  },
};

const FIELDS = Object.keys(OPTIONS) as readonly Field[];
/** Without a client id or a credential there is no login. */
const KEPT: ReadonlySet<string> = new Set(['clientId', 'clientSecret', 'clientPrivateKey', 'clientKeyId']);
const REMOVABLE: readonly string[] = FIELDS.filter((field) => !KEPT.has(field));

export function addProviderOptions(command: Command): Command {
  for (const field of FIELDS) {
    const { flags, about, kind } = OPTIONS[field];
    if (kind === 'list' || kind === 'pairs') command.addOption(gatheringOption(flags, about));
    else if (kind !== 'switch') command.addOption(onceOption(flags, about));
    else command.option(flags, about).option(flags.replace('--', '--no-'), 'turn that off');
  }
  return command.addOption(unsetOption());
}

/** What was given, with the secret read from its file. Throws `usage` for a field that is both set and removed. */
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

function unsetOption(): Option {
  const about = `remove a field, so that the default of the type counts: ${REMOVABLE.join(', ')}; repeatable`;
  const option = gatheringOption('--unset <field>', about);
  return option.argParser<readonly string[]>((value, previous) => {
    if (!REMOVABLE.includes(value))
      throw new InvalidArgumentError(`Allowed choices are ${REMOVABLE.join(', ')}.`);
    return [...(previous ?? []), value];
  });
}
