// `doorward cert revoke CERTIFICATE` or `--all-of ADDRESS`: within two seconds it opens nothing more, anywhere.

import type { Command } from 'commander';
import type { RevocationWish } from '../client/certificate-object.ts';
import { ServiceError } from '../domain/service-error.ts';
import { certificateText } from './certificate-text.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.ts';
import { choiceOption, jsonOption, onceOption } from './option-parsers.ts';
import { plain, printJson, type Terminal } from './terminal.ts';

type Options = ConnectionOptions & RevocationWish & { readonly allOf?: string; readonly json?: true };

export function addCertRevoke(cert: Command, terminal: Terminal): void {
  const command = cert
    .command('revoke')
    .description('revoke a certificate, or all of a person')
    .argument('[certificate]', 'id, serial or fingerprint')
    .addOption(
      onceOption(
        '--all-of <address>',
        'all certificates of this person; deletes the unused tokens for them, too',
      ),
    )
    .addOption(choiceOption('--reason <reason>', 'for the revocation list', REASONS));
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (named: string | undefined, { allOf, reason, json, ...options }: Options) => {
      if ((named === undefined) === (allOf === undefined))
        throw new ServiceError('usage', 'Cannot tell what to revoke: give a certificate or --all-of');
      const { certificates } = await connect(terminal, options);
      if (allOf !== undefined) {
        const { revoked } = await certificates.revokeAllOf(allOf, { reason });
        if (json) return printJson(terminal, { revoked });
        terminal.out(revoked.map((id) => `${id}\n`).join(''));
        return terminal.err(`Revoked ${revoked.length} of ${plain(allOf)}${EFFECT}`);
      }
      const certificate = await certificates.revoke(named ?? '', { reason });
      if (json) return printJson(terminal, certificate);
      terminal.out(certificateText(certificate));
      terminal.err(`Revoked ${certificate.id}${EFFECT}`);
    });
}

const EFFECT = ': within two seconds no gateway lets it in any more.\n';
const REASONS = [
  'unspecified',
  'key_compromise',
  'affiliation_changed',
  'superseded',
  'cessation_of_operation',
];
