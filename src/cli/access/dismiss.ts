// `doorward access dismiss ID`: who asked is not let in, and is not heard for a week.

import type { Command } from 'commander';
import { newCommand } from '../command.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../confirm.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & ConfirmOptions & { readonly json?: true };

export function addAccessDismiss(access: Command, terminal: Terminal): void {
  const command = newCommand(access, 'dismiss', [
    'doorward access dismiss arq_01jd3b2v9k6w8y4n5q7r0t1s2x',
    'doorward access dismiss arq_01jd3b2v9k6w8y4n5q7r0t1s2x --yes',
  ])
    .description('dismiss a request; the person is not told, and cannot ask again for 7 days')
    .argument('<id>', 'id of the request');
  addYesOption(addConnectionOptions(command))
    .addOption(jsonOption())
    .action(async (id: string, { json, ...options }: Options) => {
      const { accessRequests } = await connect(terminal, options);
      await confirm(terminal, options, `Dismiss the request ${id}?`);
      const dismissed = await accessRequests.dismiss(id);
      if (json) return printJson(terminal, dismissed);
      const { email, share, shareId } = dismissed;
      terminal.err(`Dismissed the request of ${plain(email)} for ${plain(share ?? shareId)}.\n`);
    });
}
