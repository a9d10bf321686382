// `doorward account host grant ACCOUNT HOST`, `revoke` and `list`: the operator's word that a host is an
// account's, in the place of a record in the DNS.

import type { Command } from 'commander';
import { parseCustomHost } from '../../domain/custom-host.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { tableText } from '../columns.ts';
import { newCommand, noun } from '../command.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../confirm.ts';
import { configOption, jsonOption } from '../option-parsers.ts';
import { findAccount, recordedByOperator } from './operator-account.ts';
import { type ConfigOptions, withStore } from './operator-store.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';

type Options = ConfigOptions & { readonly json?: true };

export const addAccountHost = noun('host', 'hosts that accounts may use without verification', [
  addGrant,
  addRevoke,
  addList,
]);

function addGrant(host: Command, terminal: Terminal): void {
  newCommand(host, 'grant', ['doorward account host grant acme app.example.com'])
    .description('let an account use a host without a DNS record')
    .argument('<account>', 'its name')
    .argument('<host>', 'such as app.example.com')
    .addOption(configOption())
    .addOption(jsonOption())
    .action((name: string, text: string, options: Options) =>
      withStore(options, async (store, config) => {
        const { ownHosts } = await import('../../serve/gate-settings.ts');
        const base = config.gateway.publicUrl;
        const granted = parseCustomHost(text, { base, ownHosts: ownHosts(config) });
        const found = await findAccount(store, name);
        const at = Date.now();
        await recordedByOperator(store, { account: found, kind: 'host.granted', reason: granted, at }, () =>
          store.hosts.grant({ host: granted, accountId: found.id, createdAt: at }),
        );
        if (options.json) return printJson(terminal, { account: name, host: granted });
        terminal.err(
          `Granted ${granted} to ${plain(name)}. To use it, the account runs: doorward host create ${granted} --share NAME\n`,
        );
      }),
    );
}

function addRevoke(host: Command, terminal: Terminal): void {
  const command = newCommand(host, 'revoke', ['doorward account host revoke acme app.example.com'])
    .description('revoke a granted host; its share stops answering there')
    .argument('<account>', 'its name')
    .argument('<host>', 'the host')
    .addOption(configOption());
  addYesOption(command)
    .addOption(jsonOption())
    .action((name: string, revoked: string, options: Options & ConfirmOptions) =>
      withStore(options, async (store) => {
        const found = await findAccount(store, name);
        await confirm(terminal, options, `Revoke the host ${revoked} of the account ${name}?`);
        const at = Date.now();
        const isRevoked = await recordedByOperator(
          store,
          { account: found, kind: 'host.revoked', reason: revoked, at },
          () => store.hosts.revoke(found.id, revoked, at),
          (made) => made,
        );
        if (!isRevoked)
          throw new ServiceError(
            'host_unknown',
            `Cannot revoke "${revoked}": it is not granted to "${name}"`,
            {
              hint: 'To see the granted hosts, run "doorward account host list".',
            },
          );
        if (options.json) return printJson(terminal, { account: name, host: revoked });
        terminal.err(`Revoked ${plain(revoked)} from ${plain(name)}.\n`);
      }),
    );
}

function addList(host: Command, terminal: Terminal): void {
  newCommand(host, 'list', ['doorward account host list'])
    .description('list granted hosts')
    .addOption(configOption())
    .addOption(jsonOption())
    .action((options: Options) =>
      withStore(options, async (store) => {
        const names = new Map((await store.accounts.list()).map(({ id, name }) => [id, name]));
        const items = (await store.hosts.grants()).map((grant) => ({
          host: grant.host,
          account: names.get(grant.accountId) ?? grant.accountId,
          createdAt: new Date(grant.createdAt).toISOString(),
        }));
        if (options.json) return printJson(terminal, { items });
        if (items.length === 0) return terminal.out('No host is granted to an account.\n');
        terminal.out(
          tableText(
            [
              ['HOST', 'ACCOUNT', 'SINCE'],
              ...items.map((item) => [item.host, item.account, minuteText(item.createdAt)]),
            ],
            terminal,
          ),
        );
      }),
    );
}
