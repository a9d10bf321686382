// How options are read: most may be given once, some gather.

import { InvalidArgumentError, Option } from 'commander';
import { ROLES } from '../domain/role.ts';

/** An option with a value that may be given once; giving it again is wrong usage (DESIGN 2.4). */
export function onceOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser<string>((value, previous: string | undefined) => {
    if (previous !== undefined) throw new InvalidArgumentError('It may be given once only.');
    return value;
  });
}

/** An option that may be repeated; its values are gathered in order. */
export function gatheringOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser<readonly string[]>(
    (value, previous: readonly string[] | undefined) => [...(previous ?? []), value],
  );
}

export function jsonOption(): Option {
  return new Option('--json', 'print the answer as JSON');
}

/** An option with one of these values that may be given once. */
export function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  const option = new Option(flags, description).choices(choices);
  return option.argParser<string>((value, previous: string | undefined) => {
    if (previous !== undefined) throw new InvalidArgumentError('It may be given once only.');
    if (!choices.includes(value))
      throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
    return value;
  });
}

/** Left out, the API's own default counts. */
export function roleOption(description: string): Option {
  return choiceOption('--role <role>', description, ROLES);
}

/** `DOORWARD_CONFIG` stands for it. */
export function configOption(): Option {
  return onceOption('--config <file>', 'the configuration (default: doorward.yaml)').env('DOORWARD_CONFIG');
}

export const DEFAULT_CONFIG_FILE = 'doorward.yaml';
