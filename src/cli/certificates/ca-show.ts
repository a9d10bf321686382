// `doorward ca show`: whom to trust for the account's certificates.

import type { Command } from 'commander';
import { endsWithinYear } from '../../domain/authority-end.ts';
import { alignedRows } from '../columns.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';

export function addCaShow(ca: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(ca, 'show', ['doorward ca show > ca.pem']).description(
      'show the certificate authorities of the account, with their PEM',
    ),
  )
    .addOption(jsonOption())
    .action(async (options: ConnectionOptions & { readonly json?: true }) => {
      const { certificates } = await connect(terminal, options);
      const shown = await certificates.authorities();
      if (options.json) return printJson(terminal, shown);
      terminal.out(shown.items.map(({ certificate }) => certificate).join(''));
      for (const { id, fingerprint, notAfter, issuing, revocationList } of shown.items)
        terminal.err(
          `\n${alignedRows([
            ['id', id],
            ['SHA-256', fingerprint],
            ['valid until', minuteText(notAfter)],
            ['state', issuing ? 'issues' : 'replaced; trusted until it expires'],
            ...(issuing && endsWithinYear(Date.parse(notAfter), Date.now()) ? [ENDING] : []),
            ['revoked', `${revocationList.entries}, list of ${minuteText(revocationList.thisUpdate)}`],
          ])}`,
        );
      terminal.err(`\nbundle            ${shown.bundleUrl}\nrevocation list   ${shown.crlUrl}\n`);
    });
}

const ENDING = ['warning', 'expires within a year: replace it with `doorward ca rotate`'];
