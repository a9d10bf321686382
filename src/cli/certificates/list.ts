// `doorward cert list`: what was issued to whom, who allowed it, and when and where it was last used.

import type { Command } from 'commander';
import type { CertificateSearch } from '../../client/certificate-calls.ts';
import { CERTIFICATE_ORDERS } from '../../domain/list-orders.ts';
import type { CertificateObject } from '../../wire/certificate.ts';
import { certificateTable } from './text.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { choiceOption, jsonOption, onceOption, sortOption } from '../option-parsers.ts';
import { everyPage } from '../pages.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & CertificateSearch & { readonly containing?: string; readonly json?: true };

export function addCertList(cert: Command, terminal: Terminal): void {
  const command = newCommand(cert, 'list', [
    'doorward cert list --expires-within 14d',
    'doorward cert list --state living --sort expires',
  ])
    .description('list the certificates of the account')
    .addOption(onceOption('--email <address>', 'only of this person'))
    .addOption(
      onceOption('--containing <text>', 'only with this in name, subject, serial number or fingerprint'),
    )
    .addOption(choiceOption('--state <state>', 'only these', ['living', 'revoked', 'expired']))
    .addOption(onceOption('--expires-within <duration>', 'only active ones that expire within 14d'))
    .addOption(sortOption(CERTIFICATE_ORDERS));
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async ({ email, containing: q, state, expiresWithin, sort, json, ...options }: Options) => {
      const { certificates } = await connect(terminal, options);
      const items = await everyPage<CertificateObject>((page) =>
        certificates.list({ ...page, email, q, state, expiresWithin, sort }),
      );
      if (json) return printJson(terminal, { items, nextCursor: null });
      terminal.out(items.length === 0 ? 'No matching certificates.\n' : certificateTable(items, terminal));
    });
}
