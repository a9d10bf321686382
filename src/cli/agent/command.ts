// `doorward agent` as a command (DESIGN 2.4).

import type { Command } from 'commander';
import { addCertificateOptions, certificateFiles, type CertificateOptions } from '../login/connection.ts';
import { type ExitWith, newCommand } from '../command.ts';
import { onceOption } from '../option-parsers.ts';
import type { Terminal } from '../terminal.ts';

type Options = CertificateOptions & {
  readonly config?: string;
  readonly check?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
};

export function addAgent(program: Command, terminal: Terminal, exitWith: ExitWith): void {
  const command = newCommand(program, 'agent', [
    'doorward agent --config agent.yaml',
    'doorward agent --config agent.yaml --check',
  ])
    .description('run all shares of a file (agent.yaml) until stopped; SIGHUP reloads the file')
    .addOption(onceOption('--config <file>', 'the shares to serve (default: agent.yaml)'));
  addCertificateOptions(command)
    .option('--check', 'report all errors in the file, and serve nothing')
    .option('--quiet', 'print no requests')
    .option('--json', 'print each event as one line of JSON')
    .action(
      async ({ config = 'agent.yaml', check = false, quiet = false, json = false, ...files }: Options) => {
        const { runAgent } = await import('./run-agent.ts');
        exitWith(
          await runAgent(terminal, {
            file: config,
            check,
            quiet,
            json,
            certificate: certificateFiles(files),
          }),
        );
      },
    );
}
