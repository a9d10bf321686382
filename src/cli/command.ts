// What the tree of commands is made of: a file adds one command with `newCommand()`, a noun has a list of
// them.

import type { Command } from 'commander';
import { keepExamples } from './help-examples.ts';
import type { Terminal } from './terminal.ts';

/** Takes the exit code of a command that ended without a fault and yet not with 0. */
export type ExitWith = (code: number) => void;

/** Adds a command, or a noun with its own, below `parent`. */
export type AddCommand = (parent: Command, terminal: Terminal, exitWith: ExitWith) => void;

/** `doorward share`, with its commands in the order of the help. */
export function noun(name: string, description: string, commands: readonly AddCommand[]): AddCommand {
  return (parent, terminal, exitWith) => {
    const command = parent.command(name).description(description);
    for (const add of commands) add(command, terminal, exitWith);
  };
}

/** `examples` are whole lines for a shell, for the help and the reference. */
export function newCommand(parent: Command, name: string, examples: readonly string[]): Command {
  const command = parent.command(name);
  keepExamples(command, examples);
  return command;
}
