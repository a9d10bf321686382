// `doorward cert policy set`: changes the rules that are given and leaves the rest. They hold for tokens that
// are made or redeemed from now on.

import type { Command } from 'commander';
import type { PolicyChanges } from '../../wire/certificate.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { policyText } from './text.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { gatheringOption, jsonOption, onceOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';

/** False when the rule is to go: commander reads `--no-…` so. */
type Rule<Value> = Value | boolean | undefined;

type Options = ConnectionOptions & {
  readonly organization?: Rule<string>;
  readonly unit?: readonly string[];
  readonly units?: boolean;
  readonly commonNamePattern?: Rule<string>;
  readonly maxValidity?: Rule<string>;
  readonly renewalByLogin?: boolean;
  readonly renewableFor?: Rule<string>;
  readonly json?: true;
};

export function addCertPolicySet(policy: Command, terminal: Terminal): void {
  const command = newCommand(policy, 'set', [
    "doorward cert policy set --max-validity 90d --common-name-pattern '*.corp'",
  ])
    .description('change the rules for certificates; other rules stay')
    .addOption(onceOption('--organization <name>', 'what every certificate must say'))
    .option('--no-organization', 'any organization, or none')
    .addOption(gatheringOption('--unit <name>', 'an allowed organizational unit; repeatable, replaces all'))
    .option('--no-units', 'any organizational unit, or none')
    .addOption(
      onceOption('--common-name-pattern <glob>', 'what every common name must match, such as *.corp'),
    )
    .option('--no-common-name-pattern', 'any common name')
    .addOption(onceOption('--max-validity <duration>', 'of certificates, such as 90d'))
    .option('--no-max-validity', 'no rule: at most 397d')
    .option(
      '--renewal-by-login',
      'people may renew their own certificates before they expire by logging in to "My access"',
    )
    .option('--no-renewal-by-login', 'people may not renew by logging in')
    .addOption(
      onceOption(
        '--renewable-for <duration>',
        'how long a certificate may be renewed, counted from the first one, such as 365d; none: never',
      ),
    )
    .option('--no-renewable-for', 'the default, 397d');
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (options: Options) => {
      const rules = await (await connect(terminal, options)).certificates.setPolicy(changesOf(options));
      if (options.json) printJson(terminal, rules);
      else terminal.out(policyText(rules));
    });
}

/** Throws `usage` when nothing is to be changed, or it contradicts itself. */
function changesOf({ unit, units, ...options }: Options): PolicyChanges {
  if (unit !== undefined && units === false)
    throw new ServiceError('usage', 'Cannot change the rules: --unit and --no-units contradict each other');
  const changes: PolicyChanges = {
    organization: ruleOf(options.organization),
    organizationalUnits: units === false ? [] : unit,
    commonNamePattern: ruleOf(options.commonNamePattern),
    maxValidity: ruleOf(options.maxValidity),
    renewalByLogin: options.renewalByLogin,
    renewableFor: ruleOf(options.renewableFor),
  };
  if (Object.values(changes).every((change) => change === undefined))
    throw new ServiceError('usage', 'Cannot change the rules: no change is given', {
      hint: 'To see the options, run "doorward cert policy set --help".',
    });
  return changes;
}

/** Undefined leaves it, null takes it away. */
function ruleOf(given: Rule<string>): string | null | undefined {
  if (given === false) return null;
  return typeof given === 'string' ? given : undefined;
}
