// `doorward cert inspect CERTIFICATE`: everything that is known of one.

import type { Command } from 'commander';
import { certificateText } from './text.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { jsonOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';

export function addCertInspect(cert: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(cert, 'inspect', ['doorward cert inspect crt_8k2m5p7r9t3w6y8a'])
      .description('show a certificate')
      .argument('<certificate>', 'id, serial number or fingerprint'),
  )
    .addOption(jsonOption())
    .action(async (named: string, options: ConnectionOptions & { readonly json?: true }) => {
      const certificate = await (await connect(terminal, options)).certificates.show(named);
      if (options.json) return printJson(terminal, certificate);
      terminal.out(`${certificateText(certificate)}\n${certificate.certificate}`);
    });
}
