// `doorward cert request TOKEN|LINK|-`: makes a key here, gets the certificate that the token is good for, writes both. The
// key never leaves this machine, and no API key is needed (contract 1.7).

import type { Command } from 'commander';
import { rm } from 'node:fs/promises';
import { createClient } from '../client/client.ts';
import { parseCertificateRequestToken } from '../domain/certificate-request-token.ts';
import { ServiceError } from '../domain/service-error.ts';
import { alignedRows } from './columns.ts';
import { parseControlUrl } from './connection.ts';
import { credentialsFile, readCredentials } from './credentials.ts';
import { KEY_TYPES, type KeyType, readKey, requestFor, writeNew, writeNewKey } from './key-files.ts';
import { choiceOption, jsonOption, onceOption } from './option-parsers.ts';
import { printJson, type Terminal } from './terminal.ts';
import { minuteText } from './time-text.ts';

type Options = {
  readonly url?: string;
  readonly out?: string;
  readonly key?: string;
  readonly keyType?: KeyType;
  readonly json?: true;
};

export function addCertRequest(cert: Command, terminal: Terminal): void {
  cert
    .command('request')
    .description('get the certificate that a token is good for; the key is made here and stays here')
    .argument('<token>', 'the token or its link; - reads it from standard input, unseen')
    .addOption(onceOption('--url <url>', 'the control API, unless the link says').env('DOORWARD_URL'))
    .addOption(onceOption('--out <prefix>', 'of the files that are written (default: doorward)'))
    .addOption(onceOption('--key <file>', 'use this private key, such as that of a try before'))
    .addOption(choiceOption('--key-type <type>', 'of a new key (default: p256)', KEY_TYPES))
    .addOption(jsonOption())
    .action(async (text: string, options: Options) => {
      const given = text === '-' ? (await terminal.readSecret('Token or link: ')).reveal() : text;
      const { token, url } = await findToken(terminal, given, options.url);
      const prefix = options.out ?? 'doorward';
      const files = {
        key: options.key ?? `${prefix}.key.pem`,
        certificate: `${prefix}.cert.pem`,
        chain: `${prefix}.chain.pem`,
      };
      const fresh = options.key === undefined;
      const key = fresh ? await writeNewKey(files.key, options.keyType ?? 'p256') : await readKey(files.key);
      const csr = await requestFor(key);
      const made = await createClient({ url, apiKey: null })
        .certificates.redeem({ token, csr })
        .catch((error: unknown) => explain(error, { file: files.key, fresh }));
      await writeNew(files.certificate, made.certificate, 0o644);
      await writeNew(files.chain, made.chain, 0o644);
      if (options.json) return printJson(terminal, { ...made, files });
      terminal.out(`${files.certificate}\n`);
      terminal.err(
        `\n${alignedRows([
          ['certificate', files.certificate],
          ['authority', files.chain],
          ['private key', files.key],
          ['good until', minuteText(made.notAfter)],
        ])}\nTo use it: curl --cert ${files.certificate} --key ${files.key} https://…\n`,
      );
    });
}

/** A link says where it is redeemed; a bare token goes to `--url`, or where `doorward login` was last. */
async function findToken(
  terminal: Terminal,
  given: string,
  flag: string | undefined,
): Promise<{ readonly token: string; readonly url: URL }> {
  const link = URL.parse(given);
  const token = link === null ? given : link.hash.slice(1);
  if (parseCertificateRequestToken(token) === null)
    throw new ServiceError('usage', 'Cannot use that token: it is not written as crt_ and 43 characters', {
      hint: 'Copy it, or its whole link, as it was sent to you.',
    });
  if (flag !== undefined) return { token, url: parseControlUrl(flag) };
  if (link !== null) return { token, url: parseControlUrl(link.origin) };
  const kept = await readCredentials(credentialsFile(terminal.env));
  if (kept !== null) return { token, url: kept.url };
  throw new ServiceError('usage', 'Cannot tell where to redeem the token: no address is given', {
    hint: 'Give the whole link, or set --url or DOORWARD_URL.',
  });
}

/** A refused request leaves no key behind; a lost answer keeps it, since the same key gets the certificate once more. */
async function explain(
  error: unknown,
  key: { readonly file: string; readonly fresh: boolean },
): Promise<never> {
  if (error instanceof ServiceError && error.code === 'control_unreachable')
    throw new ServiceError(error.code, error.message, {
      cause: error,
      hint: `The token may be used by now. Within ten minutes, the same key gets its certificate: add --key ${key.file}`,
    });
  if (key.fresh) await rm(key.file, { force: true });
  throw error;
}
