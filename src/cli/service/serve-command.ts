// `doorward serve` as a command. It comes without the others, since to load these would take as long as to
// open the store.

import type { Command } from 'commander';
import { createBareProgram } from '../bare-program.ts';
import { newCommand } from '../command.ts';
import { configOption, DEFAULT_CONFIG_FILE } from '../option-parsers.ts';
import type { ConfigOptions } from '../accounts/operator-store.ts';
import type { ConfigChoice } from '../../wire/settings.ts';
import type { Terminal } from '../terminal.ts';

/** The program with this command alone. */
export function createServeProgram(terminal: Terminal): Command {
  const program = createBareProgram(terminal);
  addServe(program);
  return program;
}

export function addServe(program: Command): void {
  newCommand(program, 'serve', ['doorward serve --config /etc/doorward/doorward.yaml'])
    .description('run the service until stopped; SIGHUP reloads the configuration')
    .addOption(configOption())
    .action(async ({ config = DEFAULT_CONFIG_FILE }: ConfigOptions, command: Command) => {
      const { runServe } = await import('./serve.ts');
      await runServe(config, choiceOf(command));
    });
}

function choiceOf(command: Command): ConfigChoice {
  const source = command.getOptionValueSource('config');
  if (source === 'cli') return 'option';
  return source === 'env' ? 'environment' : 'default';
}
