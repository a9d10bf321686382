// `doorward` before it has commands.

import { Command } from 'commander';
import packageFile from '../../package.json' with { type: 'json' };
import type { Terminal } from './terminal.ts';

/** Parsing throws `CommanderError` for wrong usage. */
export function createBareProgram(terminal: Terminal): Command {
  return new Command('doorward')
    .description('Puts a login in front of anything you run, and tells it who the visitor is.')
    .version(packageFile.version)
    .exitOverride()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      // Told once, by report-fault.ts.
      outputError: () => undefined,
    });
}
