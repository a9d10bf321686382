// The examples that `--help` and the reference show. Each is a whole line for a shell, and a test reads it
// with the parser. They are written where their command is.

import type { Command } from 'commander';

/** Below the help of each command of the tree that has some. */
export function addExamples(command: Command): void {
  const examples = examplesOf(command);
  if (examples.length > 0)
    command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}`);
  command.commands.forEach(addExamples);
}

export function examplesOf(command: Command): readonly string[] {
  return EXAMPLES.get(command) ?? [];
}

export function keepExamples(command: Command, examples: readonly string[]): void {
  EXAMPLES.set(command, examples);
}

/** `share create`; empty for the program itself. */
export function pathOf(command: Command): string {
  return command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();
}

const EXAMPLES = new WeakMap<Command, readonly string[]>();
