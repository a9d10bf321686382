// The tree of commands: `doorward <noun> <verb>` (DESIGN 2.4). The reference documents are made from it too.

import { Command } from 'commander';
import packageFile from '../../package.json' with { type: 'json' };
import { addAccountCreate } from './account-create.ts';
import { addAccountHost } from './account-host.ts';
import { addAccountKey } from './account-key.ts';
import { addAccountList } from './account-list.ts';
import { addAccountResume, addAccountSuspend } from './account-suspend.ts';
import { addApiKeyCreate } from './api-key-create.ts';
import { addApiKeyDelete } from './api-key-delete.ts';
import { addApiKeyList } from './api-key-list.ts';
import { addAudit } from './audit.ts';
import { addBackup } from './backup.ts';
import { addCompletion } from './completion.ts';
import { addCertificateCommands } from './certificate-commands.ts';
import { addHostCreate } from './host-create.ts';
import { addHostDelete } from './host-delete.ts';
import { addHostList } from './host-list.ts';
import { addHostShow, addHostVerify } from './host-show.ts';
import { addKeyRotate } from './key-rotate.ts';
import { addLogin } from './login.ts';
import { addMemberCreate } from './member-create.ts';
import { addMemberDelete } from './member-delete.ts';
import { addMemberInvite } from './member-invite.ts';
import { addMemberList } from './member-list.ts';
import { addMemberModify } from './member-modify.ts';
import { addProviderCreate } from './provider-create.ts';
import { addProviderDelete } from './provider-delete.ts';
import { addProviderList } from './provider-list.ts';
import { addProviderShow } from './provider-show.ts';
import { addProviderTest } from './provider-try.ts';
import { addRestore } from './restore.ts';
import { addServiceCommands, type ExitWith } from './service-commands.ts';
import { addSessionEnd } from './session-end.ts';
import { addSessionList } from './session-list.ts';
import { addShareCreate } from './share-create.ts';
import { addShareDelete } from './share-delete.ts';
import { addShareList } from './share-list.ts';
import { addShareModify } from './share-modify.ts';
import { addShareShow } from './share-show.ts';
import { addShareTest } from './share-test.ts';
import { addStatus } from './status.ts';
import type { Terminal } from './terminal.ts';
import { addWebhookCreate } from './webhook-create.ts';
import { addWebhookDelete } from './webhook-delete.ts';
import { addWebhookList } from './webhook-list.ts';
import { addWebhookShow } from './webhook-show.ts';
import { addWebhookSwitches } from './webhook-switch.ts';
import { addWebhookTest } from './webhook-try.ts';

/** Parsing throws `CommanderError` for wrong usage; a command throws `ServiceError`. Nothing ends the process. */
export function createProgram(terminal: Terminal, exitWith: ExitWith): Command {
  const program = new Command('doorward')
    .description('Puts a login before anything you run, and tells it who came in.')
    .version(packageFile.version)
    .exitOverride()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      // Told once, by report-fault.ts.
      outputError: () => undefined,
    });
  addServiceCommands(program, terminal, exitWith);
  addBackup(program, terminal);
  addRestore(program, terminal);
  const key = program
    .command('key')
    .description('the master key, which the secrets of the records are sealed with');
  addKeyRotate(key, terminal);
  const account = program.command('account').description('accounts, on the machine of the service');
  addAccountCreate(account, terminal);
  addAccountList(account, terminal);
  addAccountSuspend(account, terminal);
  addAccountResume(account, terminal);
  addAccountKey(account, terminal);
  addAccountHost(account, terminal);
  const member = program.command('member').description('people who manage the account');
  addMemberCreate(member, terminal);
  addMemberList(member, terminal);
  addMemberModify(member, terminal);
  addMemberInvite(member, terminal);
  addMemberDelete(member, terminal);
  const apiKey = program.command('api-key').description('keys that programs call the control API with');
  addApiKeyCreate(apiKey, terminal);
  addApiKeyList(apiKey, terminal);
  addApiKeyDelete(apiKey, terminal);
  addLogin(program, terminal);
  addStatus(program, terminal, exitWith);
  const share = program.command('share').description('published addresses and what they reach');
  addShareCreate(share, terminal);
  addShareList(share, terminal);
  addShareShow(share, terminal);
  addShareModify(share, terminal);
  addShareDelete(share, terminal);
  addShareTest(share, terminal, exitWith);
  const host = program.command('host').description('host names of your own that shares answer at');
  addHostCreate(host, terminal);
  addHostList(host, terminal);
  addHostShow(host, terminal);
  addHostVerify(host, terminal);
  addHostDelete(host, terminal);
  const provider = program.command('provider').description('identity providers that the account defines');
  addProviderCreate(provider, terminal);
  addProviderList(provider, terminal);
  addProviderShow(provider, terminal);
  addProviderTest(provider, terminal, exitWith);
  addProviderDelete(provider, terminal);
  addCertificateCommands(program, terminal);
  const session = program.command('session').description('who is logged in');
  addSessionList(session, terminal);
  addSessionEnd(session, terminal);
  addAudit(program, terminal);
  const webhook = program.command('webhook').description('addresses that audit events are posted to');
  addWebhookCreate(webhook, terminal);
  addWebhookList(webhook, terminal);
  addWebhookShow(webhook, terminal);
  addWebhookTest(webhook, terminal, exitWith);
  addWebhookSwitches(webhook, terminal);
  addWebhookDelete(webhook, terminal);
  addCompletion(program, terminal);
  return program;
}
