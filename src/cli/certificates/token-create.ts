// `doorward cert token create`: prints the link that its holder redeems, with a QR code where somebody looks
// at it.

import type { Command } from 'commander';
import { renderUnicodeCompact } from 'uqr';
import type { MadeToken, NewTokenObject } from '../../wire/certificate.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { choiceOption, jsonOption, onceOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';
import { CERTIFICATE_ROLES } from '../../domain/role.ts';

type Options = ConnectionOptions &
  Omit<NewTokenObject, 'name' | 'organizationalUnit'> & {
    readonly name?: string;
    readonly unit?: string;
    readonly qr?: true;
    readonly json?: true;
  };

export function addCertTokenCreate(token: Command, terminal: Terminal): void {
  const command = newCommand(token, 'create', [
    'doorward cert token create --common-name ann --email-address ann@example.com --validity 90d --qr',
  ])
    .description('create a token for one certificate; prints its link, only once')
    .addOption(
      onceOption('--common-name <name>', 'whom or what the certificate is for').makeOptionMandatory(),
    )
    .addOption(onceOption('--organization <name>', 'default: from the account’s rules'))
    .addOption(onceOption('--unit <name>', 'organizational unit'))
    .addOption(onceOption('--email-address <address>', 'of the holder'))
    .addOption(onceOption('--name <name>', 'of the token, for people (default: the common name)'))
    .addOption(onceOption('--validity <duration>', 'of the certificate (default: 30d, at most 397d)'))
    .addOption(onceOption('--expires-in <duration>', 'of the token (default: 24h, at most 7d)'))
    .addOption(
      onceOption(
        '--renewable-for <duration>',
        'how long the certificate may be renewed; none: never (default: from the account’s rules)',
      ),
    )
    .addOption(
      choiceOption(
        '--api-role <role>',
        'what the certificate may do without an API key: serve tunnels, or call the control API (default: nothing)',
        CERTIFICATE_ROLES,
      ),
    )
    .option('--qr', 'also print the link as a QR code');
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (options: Options) => {
      const { name, unit, organization, emailAddress, commonName, validity } = options;
      const { expiresIn, renewableFor, apiRole, qr, json } = options;
      const { certificates } = await connect(terminal, options);
      const made = await certificates.createToken({
        name: name ?? commonName,
        commonName,
        organization,
        organizationalUnit: unit,
        emailAddress,
        validity,
        expiresIn,
        renewableFor,
        apiRole,
      });
      if (json) return printJson(terminal, made);
      printToken(terminal, made, qr === true);
    });
}

function printToken(terminal: Terminal, { redeemUrl, message }: MadeToken, qr: boolean): void {
  terminal.out(`${plain(redeemUrl)}\n`);
  if (qr) terminal.err(`\n${renderUnicodeCompact(redeemUrl)}\n`);
  const lines = message.split('\n').map((line) => (line === '' ? '' : `  ${plain(line)}`));
  terminal.err(
    `\nThe link is shown only once. Send this message to its holder, over a secure channel:\n\n${lines.join('\n')}\n`,
  );
}
