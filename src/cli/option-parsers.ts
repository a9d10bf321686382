// How options are read: most may be given once, some gather.

import { InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../domain/duration.ts';
import { type Orders, sortNames } from '../domain/list-orders.ts';
import { ROLES } from '../domain/role.ts';
import { ServiceError } from '../domain/service-error.ts';

/** An option with a value that may be given once; giving it again is wrong usage (DESIGN 2.4). */
export function onceOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser<string>((value, previous: string | undefined) => {
    if (previous !== undefined) throw new InvalidArgumentError('It may be given only once.');
    return value;
  });
}

/** An option that may be repeated; its values are gathered in order. */
export function gatheringOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser<readonly string[]>(
    (value, previous: readonly string[] | undefined) => [...(previous ?? []), value],
  );
}

/** As `gatheringOption`, each value once. */
export function distinctOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser<readonly string[]>(
    (value, previous: readonly string[] | undefined = []) => {
      if (previous.includes(value)) throw new InvalidArgumentError('Each may be given only once.');
      return [...previous, value];
    },
  );
}

/**
 * A moment, as RFC 3339 has it or as a duration before now: `1h`. The option's value is RFC 3339, in UTC.
 * `now` in milliseconds since the epoch.
 */
export function timeOption(flags: string, description: string, now: () => number = Date.now): Option {
  return new Option(flags, description).argParser<string>((value, previous: string | undefined) => {
    if (previous !== undefined) throw new InvalidArgumentError('It may be given only once.');
    return new Date(readMoment(value, now())).toISOString();
  });
}

/** With a zone: without one it would be another moment on each machine. */
function readMoment(text: string, now: number): number {
  const [, day = '', time = ''] = MOMENT.exec(text) ?? [];
  const at = Date.parse(`${day}T${time}`);
  // A day that its month does not have would be one of the next.
  if (!Number.isNaN(at) && new Date(`${day}T00:00Z`).toISOString().startsWith(day)) return at;
  try {
    return now - parseDuration(text);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new InvalidArgumentError(
      'Write a time such as 2030-01-31T09:00:00Z, or a duration before now such as 1h or 7d.',
    );
  }
}

export function jsonOption(): Option {
  return new Option('--json', 'print the answer as JSON');
}

/** An option with one of these values that may be given once. */
export function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  const option = new Option(flags, description).choices(choices);
  return option.argParser<string>((value, previous: string | undefined) => {
    if (previous !== undefined) throw new InvalidArgumentError('It may be given only once.');
    if (!choices.includes(value))
      throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
    return value;
  });
}

/** In which order a list comes; left out, as the API says. */
export function sortOption<Key extends string>(orders: Orders<Key>): Option {
  const about = `the order: ${Object.keys(orders.keys).join(', ')}; \`-\` before it reverses it (default: ${orders.unsaid})`;
  return choiceOption('--sort <order>', about, sortNames(orders));
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
const MOMENT = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d))$/;
