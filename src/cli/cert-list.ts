// `doorward cert list`: what was issued to whom, and when it was last used.

import type { Command } from 'commander';
import type { CertificateObject } from '../client/certificate-object.ts';
import { certificateTable } from './certificate-text.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.ts';
import { choiceOption, jsonOption, onceOption } from './option-parsers.ts';
import { everyPage } from './pages.ts';
import { printJson, type Terminal } from './terminal.ts';

type Options = ConnectionOptions & { readonly email?: string; readonly state?: string; readonly json?: true };

export function addCertList(cert: Command, terminal: Terminal): void {
  const command = cert
    .command('list')
    .description('list the certificates of the account')
    .addOption(onceOption('--email <address>', 'only of this person'))
    .addOption(choiceOption('--state <state>', 'only these', ['living', 'revoked', 'expired']));
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async ({ email, state, json, ...options }: Options) => {
      const { certificates } = await connect(terminal, options);
      const search = { ...(email === undefined ? {} : { email }), ...(state === undefined ? {} : { state }) };
      const items = await everyPage<CertificateObject>((page) => certificates.list({ ...page, ...search }));
      if (json) return printJson(terminal, { items, nextCursor: null });
      terminal.out(items.length === 0 ? 'There are no such certificates.\n' : certificateTable(items));
    });
}
