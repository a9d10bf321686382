// `doorward ca rotate`: a new authority issues from now on; the one before is trusted until what it issued is
// over.

import type { Command } from 'commander';
import { newCommand } from '../command.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../confirm.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';

export function addCaRotate(ca: Command, terminal: Terminal): void {
  const command = newCommand(ca, 'rotate', ['doorward ca rotate']).description(
    'replace the certificate authority that issues certificates',
  );
  addYesOption(addConnectionOptions(command))
    .addOption(jsonOption())
    .action(async (options: ConnectionOptions & ConfirmOptions & { readonly json?: true }) => {
      const { certificates } = await connect(terminal, options);
      await confirm(terminal, options, 'Replace the certificate authority? This cannot be undone.');
      const made = await certificates.rotateAuthority();
      if (options.json) return printJson(terminal, made);
      terminal.out(made.certificate);
      terminal.err(
        `\n${made.id} now issues certificates. Services that trust the account need the new bundle: doorward ca show\n`,
      );
    });
}
