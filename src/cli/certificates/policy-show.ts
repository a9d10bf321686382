// `doorward cert policy show`: the account's rules for what its certificates say.

import type { Command } from 'commander';
import { policyText } from './text.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { jsonOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';

export function addCertPolicyShow(policy: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(policy, 'show', ['doorward cert policy show']).description('show the rules for certificates'),
  )
    .addOption(jsonOption())
    .action(async (options: ConnectionOptions & { readonly json?: true }) => {
      const rules = await (await connect(terminal, options)).certificates.policy();
      if (options.json) printJson(terminal, rules);
      else terminal.out(policyText(rules));
    });
}
