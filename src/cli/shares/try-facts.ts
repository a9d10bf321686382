// The flags by which `share test` says what is true of a visitor.

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ShareTestFacts } from '../../wire/share-test.ts';
import { gatheringOption, onceOption } from '../option-parsers.ts';

export type FactOptions = {
  readonly email?: string;
  readonly provider?: string;
  readonly group?: readonly string[];
  /** False for `--no-groups`. */
  readonly groups?: boolean;
  readonly claim?: Readonly<Record<string, readonly string[]>>;
  readonly acr?: string;
  readonly address?: string;
  readonly certificateSubject?: string;
  readonly certificateUnit?: string;
  /** False for `--no-certificate`, `--no-token`. */
  readonly certificate?: boolean;
  readonly token?: string | false;
  readonly path?: string;
  readonly method?: string;
  readonly at?: string;
};

export function addFactOptions(command: Command): void {
  command
    .addOption(onceOption('--email <address>', 'the email address'))
    .addOption(onceOption('--provider <name>', 'where the person logs in; default: any of the share'))
    .addOption(gatheringOption('--group <group>', 'a group of the person; may be repeated'))
    .addOption(new Option('--no-groups', 'the person has no groups'))
    .addOption(claimOption())
    .addOption(onceOption('--acr <class>', 'the authentication class of the login'))
    .addOption(onceOption('--address <ip>', 'the client’s IP address'))
    .addOption(onceOption('--certificate-subject <name>', 'the common name of the client certificate'))
    .addOption(onceOption('--certificate-unit <unit>', 'the organizational unit of the client certificate'))
    .addOption(new Option('--no-certificate', 'the client has no certificate'))
    .addOption(onceOption('--token <name>', 'the name of the service token'))
    .addOption(new Option('--no-token', 'the client sends no service token'))
    .addOption(onceOption('--path <path>', 'the path, without the query'))
    .addOption(onceOption('--method <method>', 'the method'))
    .addOption(onceOption('--at <time>', 'the moment, such as 2030-01-31T09:00:00Z; default: now'));
}

export function factsOf(options: FactOptions): ShareTestFacts {
  const { email, provider, group, claim, acr, address, path, method, at } = options;
  const { certificateSubject: subject, certificateUnit: unit, certificate, token } = options;
  const shown = subject === undefined && unit === undefined ? undefined : { subject, unit };
  return {
    email,
    provider,
    groups: group ?? (options.groups === false ? [] : undefined),
    claims: claim,
    acr,
    address,
    certificate: certificate === false ? null : shown,
    token: token === false ? null : token,
    path,
    method: method?.toUpperCase(),
    at,
  };
}

function claimOption(): Option {
  return new Option('--claim <name=value>', 'a claim of the person; may be repeated').argParser<
    NonNullable<FactOptions['claim']>
  >((text, previous = {}) => {
    const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new InvalidArgumentError('Write NAME=VALUE.');
    const known = Object.hasOwn(previous, name) ? previous[name] : undefined;
    return { ...previous, [name]: [...(known ?? []), value] };
  });
}
