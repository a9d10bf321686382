// Commands as documents and files of this repository name them.

import type { Command } from 'commander';
import { createProgram } from '../../src/cli/program.ts';
import { Secret } from '../../src/domain/secret.ts';

/**
 * What is wrong with a command: its verb or one of its options does not exist. Values and placeholders are
 * not judged.
 */
export function faultsOfCommand(line: string): readonly string[] {
  const words = line.split(/\s+/).slice(1);
  let command: Command = program;
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) break;
    command = next;
  }
  if (command.commands.length > 0) return [`${line}: no such command`];
  const known = new Set(command.options.map(({ long }) => long));
  return words
    .filter((word) => word.startsWith('--') && !known.has(word))
    .map((word) => `${line}: ${word} is no option`);
}

const program = createProgram(
  { out: () => undefined, err: () => undefined, env: {}, readSecret: async () => new Secret('') },
  () => undefined,
);
