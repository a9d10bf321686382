// `doorward host show HOST` and `doorward host verify HOST`: verifying looks for the record in the DNS now.

import type { Command } from 'commander';
import type { HostCalls } from '../../client/host-calls.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { hostText, nextStepText } from './text.ts';
import { newCommand } from '../command.ts';
import { jsonOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';

export function addHostShow(host: Command, terminal: Terminal): void {
  addCommand(
    newCommand(host, 'show', ['doorward host show app.example.com']).description(
      'show a host, and the DNS record that verifies it',
    ),
    'show',
    terminal,
  );
}

export function addHostVerify(host: Command, terminal: Terminal): void {
  const command = newCommand(host, 'verify', ['doorward host verify app.example.com']).description(
    'verify a host by its DNS record; its share then answers there',
  );
  addCommand(command, 'verify', terminal);
}

function addCommand(
  command: Command,
  verb: keyof Pick<HostCalls, 'show' | 'verify'>,
  terminal: Terminal,
): void {
  addConnectionOptions(command.argument('<host>', 'the host or its id'))
    .addOption(jsonOption())
    .action(async (named: string, options: ConnectionOptions & { readonly json?: true }) => {
      const { hosts } = await connect(terminal, options);
      const found = await hosts[verb](named);
      if (options.json) return printJson(terminal, found);
      terminal.out(hostText(found));
      if (found.state === 'pending' || verb === 'verify') terminal.err(nextStepText(found));
    });
}
