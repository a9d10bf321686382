// `doorward version`: which program this is, and which Node runs it.

import type { Command } from 'commander';
import packageFile from '../../package.json' with { type: 'json' };
import { newCommand } from './command.ts';
import { jsonOption } from './option-parsers.ts';
import { printJson, type Terminal } from './terminal.ts';

export function addVersion(program: Command, terminal: Terminal): void {
  newCommand(program, 'version', ['doorward version --json'])
    .description('print the version of Doorward and of Node')
    .addOption(jsonOption())
    .action(({ json }: { readonly json?: true }) => {
      const { version } = packageFile;
      const { node } = process.versions;
      if (json) printJson(terminal, { version, node, platform: `${process.platform}-${process.arch}` });
      else terminal.out(`doorward ${version} (Node ${node}, ${process.platform}-${process.arch})\n`);
    });
}
