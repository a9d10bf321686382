// `doorward cert revoke CERTIFICATE`, `--all-of ADDRESS`, or `--serial` and `--file` for one that the service
// may not know: within two seconds it opens nothing more, anywhere.

import type { Command } from 'commander';
import type { CertificateCalls } from '../../client/certificate-calls.ts';
import type { RevocationInput, RevokedCertificates } from '../../wire/certificate.ts';
import { namedBySerial } from '../../domain/certificate-name.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { certificateText } from './text.ts';
import { readPemFile } from '../login/client-certificate.ts';
import { newCommand } from '../command.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../confirm.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { choiceOption, jsonOption, onceOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';

type Several = {
  readonly allOf?: string;
  readonly serial?: string;
  readonly file?: string;
};

type Options = ConnectionOptions & ConfirmOptions & RevocationInput & Several & { readonly json?: true };

export function addCertRevoke(cert: Command, terminal: Terminal): void {
  const command = newCommand(cert, 'revoke', [
    'doorward cert revoke crt_8k2m5p7r9t3w6y8a --reason key_compromise',
    'doorward cert revoke --all-of ann@example.com',
  ])
    .description('revoke a certificate, or all certificates of a person')
    .argument('[certificate]', 'id, serial number or fingerprint')
    .addOption(
      onceOption('--all-of <address>', 'all certificates of this person; also deletes their unused tokens'),
    )
    .addOption(
      onceOption(
        '--serial <hex>',
        'the certificate with this serial number, even if a restored backup lacks it',
      ),
    )
    .addOption(onceOption('--file <pem>', 'this certificate, even if a restored backup lacks it'))
    .addOption(choiceOption('--reason <reason>', 'the reason, published on the CRL', REASONS));
  addYesOption(addConnectionOptions(command))
    .addOption(jsonOption())
    .action(
      async (
        named: string | undefined,
        { allOf, serial, file, reason, json, ...options }: Options,
      ): Promise<void> => {
        if ([named, allOf, serial, file].filter((each) => each !== undefined).length !== 1)
          throw new ServiceError(
            'usage',
            'Cannot revoke: give exactly one of a certificate, --all-of, --serial and --file',
          );
        const { certificates } = await connect(terminal, options);
        const what =
          allOf === undefined ? `the certificate ${named ?? serial ?? file}` : `all certificates of ${allOf}`;
        await confirm(terminal, options, `Revoke ${what}? This cannot be undone.`);
        if (named === undefined) {
          const revoked = await revokeSeveral(certificates, { allOf, serial, file }, reason);
          if (json) return printJson(terminal, revoked);
          terminal.out(
            [...revoked.revoked, ...revoked.serials.map(namedBySerial)].map((each) => `${each}\n`).join(''),
          );
          return terminal.err(summary(revoked, { allOf, serial, file }));
        }
        const certificate = await certificates.revoke(named, { reason });
        if (json) return printJson(terminal, certificate);
        terminal.out(certificateText(certificate));
        terminal.err(`Revoked ${certificate.id}${EFFECT}`);
      },
    );
}

type Chosen = { readonly [Way in keyof Several]: Several[Way] | undefined };

async function revokeSeveral(
  calls: CertificateCalls,
  { allOf, serial, file }: Chosen,
  reason: RevocationInput['reason'],
): Promise<RevokedCertificates> {
  if (allOf !== undefined) return calls.revokeAllOf(allOf, { reason });
  if (file !== undefined) return calls.revokeNamed({ certificate: await readPemFile(file), reason });
  return calls.revokeNamed({ serial, reason });
}

function summary({ revoked, serials }: RevokedCertificates, { allOf, serial, file }: Chosen): string {
  const of = plain(allOf ?? serial ?? file ?? '');
  if (allOf !== undefined) return `Revoked ${revoked.length} of ${of}${EFFECT}`;
  const count = revoked.length + serials.length;
  return count === 0 ? `Already revoked or expired: ${of}\n` : `Revoked ${count} by ${of}${EFFECT}`;
}

const EFFECT = ': it stops working at every gateway within two seconds.\n';
export const REASONS = [
  'unspecified',
  'key_compromise',
  'affiliation_changed',
  'superseded',
  'cessation_of_operation',
];
