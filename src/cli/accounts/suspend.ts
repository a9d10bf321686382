// `doorward account suspend NAME` and `doorward account resume NAME`: a suspended account's shares, keys and
// logins stop working, and nothing of it is lost.

import type { Command } from 'commander';
import { newCommand } from '../command.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../confirm.ts';
import { configOption, jsonOption } from '../option-parsers.ts';
import { findAccount, recordedByOperator } from './operator-account.ts';
import { type ConfigOptions, withStore } from './operator-store.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';

export function addAccountSuspend(account: Command, terminal: Terminal): void {
  addCommand(account, terminal, {
    verb: 'suspend',
    description: 'suspend an account: its shares, API keys and members stop working',
    suspended: true,
    done: 'Its shares answer 404 and its keys stop working, until: doorward account resume',
  });
}

export function addAccountResume(account: Command, terminal: Terminal): void {
  addCommand(account, terminal, {
    verb: 'resume',
    description: 'resume a suspended account with its previous settings',
    suspended: false,
    done: 'Its shares and keys work again.',
  });
}

type Wording = {
  readonly verb: 'suspend' | 'resume';
  readonly description: string;
  readonly suspended: boolean;
  readonly done: string;
};

function addCommand(account: Command, terminal: Terminal, wording: Wording): void {
  const { verb, suspended } = wording;
  const command = newCommand(account, verb, [`doorward account ${verb} acme`])
    .description(wording.description)
    .argument('<name>', 'its name')
    .addOption(configOption());
  (suspended ? addYesOption(command) : command)
    .addOption(jsonOption())
    .action((name: string, options: ConfigOptions & ConfirmOptions & { readonly json?: true }) =>
      withStore(options, async (store) => {
        const found = await findAccount(store, name);
        if (suspended)
          await confirm(terminal, options, `Suspend the account ${name}? Its shares stop answering.`);
        const kind = suspended ? 'account.suspended' : 'account.resumed';
        await recordedByOperator(store, { account: found, kind, reason: name, at: Date.now() }, () =>
          store.accounts.suspend(found.id, suspended),
        );
        if (options.json) return printJson(terminal, { id: found.id, name, suspended });
        terminal.err(`${suspended ? 'Suspended' : 'Resumed'} ${plain(name)}. ${wording.done}\n`);
      }),
    );
}
