// `doorward cert request TOKEN|LINK|-`: makes a key here, gets the certificate that the token is good for,
// writes both. The key never leaves this machine, and no API key is needed (contract 1.7).

import type { Command } from 'commander';
import { rm } from 'node:fs/promises';
import type { RedeemedCertificate } from '../../wire/certificate.ts';
import { createNodeClient } from '../../client/node-client.ts';
import { parseCertificateRequestToken } from '../../domain/certificate-request-token.ts';
import { isSecureUrl } from '../../domain/secure-url.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { alignedRows } from '../columns.ts';
import { newCommand } from '../command.ts';
import { parseControlUrl } from '../login/connection.ts';
import { credentialsFile, readCredentials } from '../login/credentials.ts';
import {
  KEY_TYPES,
  type KeyType,
  readKey,
  requestFor,
  requireAbsent,
  writeNew,
  writeNewKey,
} from './key-files.ts';
import { choosePassphrase, keyStoreOf, type Passphrase } from './key-store.ts';
import { choiceOption, jsonOption, onceOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';
import { wayOut } from '../way-out.ts';

type Options = {
  readonly url?: string;
  readonly out?: string;
  readonly key?: string;
  readonly keyType?: KeyType;
  readonly p12?: string;
  readonly p12Passphrase?: string;
  readonly p12Older?: true;
  readonly json?: true;
};

type Files = {
  readonly key: string;
  readonly certificate: string;
  readonly chain: string;
  readonly keyStore?: string;
};

export function addCertRequest(cert: Command, terminal: Terminal): void {
  newCommand(cert, 'request', [
    'doorward cert request https://control.example.com/redeem#TOKEN --out ann',
    'doorward cert request - --p12 ann.p12',
  ])
    .description('redeem a certificate request token; the key is created here and stays here')
    .argument('<token>', 'the token or its link; - reads it from standard input without showing it')
    .addOption(onceOption('--url <url>', 'the control API, if not the one of the link').env('DOORWARD_URL'))
    .addOption(onceOption('--out <prefix>', 'name of the files to write (default: doorward)'))
    .addOption(onceOption('--key <file>', 'use this private key, such as the key of an earlier try'))
    .addOption(choiceOption('--key-type <type>', 'of a new key (default: p256)', KEY_TYPES))
    .addOption(
      onceOption('--p12 <file>', 'also write key and certificate as PKCS #12, for browsers and phones'),
    )
    .addOption(
      onceOption(
        '--p12-passphrase <file>',
        'file with the passphrase for it; - asks (default: generated, and shown once)',
      ),
    )
    .option('--p12-older', 'in the older form (triple DES) that Apple devices accept')
    .addOption(jsonOption())
    .action(async (text: string, options: Options) => {
      const passphrase = await passphraseFor(terminal, text, options);
      const given = text === '-' ? (await terminal.readSecret('Token or link: ')).reveal() : text;
      const { token, url } = await findToken(terminal, given, options.url);
      const files = filesFor(options);
      const fresh = options.key === undefined;
      await requireAbsent(Object.values(files).filter((file) => fresh || file !== files.key));
      const key = fresh ? await writeNewKey(files.key, options.keyType ?? 'p256') : await readKey(files.key);
      const csr = await requestFor(key);
      const made = await createNodeClient({ url, apiKey: null, wayTo: wayOut(terminal) })
        .certificates.redeem({ token, csr })
        .catch((error: unknown) => explain(error, { file: files.key, fresh }));
      await writeNew(files.certificate, made.certificate, 0o644);
      await writeNew(files.chain, made.chain, 0o644);
      if (files.keyStore !== undefined && passphrase !== null) {
        const keyStore = await keyStoreOf(key, [made.certificate, made.chain], passphrase);
        await writeNew(files.keyStore, keyStore, 0o600);
      }
      print(terminal, { made, files, passphrase, json: options.json === true });
    });
}

function filesFor({ out, key, p12 }: Options): Files {
  const prefix = out ?? 'doorward';
  return {
    key: key ?? `${prefix}.key.pem`,
    certificate: `${prefix}.cert.pem`,
    chain: `${prefix}.chain.pem`,
    ...(p12 === undefined ? {} : { keyStore: p12 }),
  };
}

/** Null where no key store is wanted. */
async function passphraseFor(
  terminal: Terminal,
  token: string,
  { p12, p12Passphrase, p12Older }: Options,
): Promise<Passphrase | null> {
  if (p12 === undefined && (p12Passphrase !== undefined || p12Older))
    throw new ServiceError('usage', 'Cannot write a key store: --p12-passphrase and --p12-older need --p12');
  if (token === '-' && p12Passphrase === '-')
    throw new ServiceError(
      'usage',
      'Cannot read both the token and the passphrase from standard input: both are -',
      { hint: 'Leave out --p12-passphrase to get a generated passphrase, or give it in a file.' },
    );
  return p12 === undefined ? null : choosePassphrase(terminal, p12Passphrase, p12Older ? 'older' : 'current');
}

function print(
  terminal: Terminal,
  {
    made,
    files,
    passphrase,
    json,
  }: {
    readonly made: RedeemedCertificate;
    readonly files: Files;
    readonly passphrase: Passphrase | null;
    readonly json: boolean;
  },
): void {
  // One that was given is known already.
  const shown = passphrase?.fresh === true ? { passphrase: passphrase.text.reveal() } : {};
  if (json) return printJson(terminal, { ...made, files, ...shown });
  terminal.out(`${files.certificate}\n`);
  terminal.err(
    `\n${alignedRows([
      ['certificate', files.certificate],
      ['authority', files.chain],
      ['private key', files.key],
      ...(files.keyStore === undefined ? [] : [['key store', files.keyStore]]),
      ...(shown.passphrase === undefined ? [] : [['passphrase', `${shown.passphrase}   (shown only once)`]]),
      ['valid until', minuteText(made.notAfter)],
    ])}\nTo use it: curl --cert ${files.certificate} --key ${files.key} https://…\n`,
  );
}

/** A link says where it is redeemed; a bare token goes to `--url`, or where `doorward login` was last. */
async function findToken(
  terminal: Terminal,
  given: string,
  flag: string | undefined,
): Promise<{ readonly token: string; readonly url: URL }> {
  const found = await readToken(terminal, given, flag);
  if (isSecureUrl(found.url)) return found;
  throw new ServiceError(
    'insecure_channel',
    `Cannot send the token: ${found.url.origin} is neither https nor on this machine`,
  );
}

async function readToken(
  terminal: Terminal,
  given: string,
  flag: string | undefined,
): Promise<{ readonly token: string; readonly url: URL }> {
  const link = URL.parse(given);
  const token = link === null ? given : link.hash.slice(1);
  if (parseCertificateRequestToken(token) === null)
    throw new ServiceError('usage', 'Cannot use that token: it is not crt_ followed by 43 characters', {
      hint: 'Copy the token, or its complete link, exactly as you got it.',
    });
  if (link !== null) return { token, url: parseControlUrl(link.origin) };
  if (flag !== undefined) return { token, url: parseControlUrl(flag) };
  const kept = await readCredentials(credentialsFile(terminal.env));
  if (kept !== null) return { token, url: kept.url };
  throw new ServiceError('usage', 'Cannot redeem the token: the control API is not known', {
    hint: 'Give the complete link, or set --url or DOORWARD_URL.',
  });
}

/**
 * A refused request leaves no key behind; whatever else happened keeps it, since the same key gets its
 * certificate once more.
 */
async function explain(
  error: unknown,
  key: { readonly file: string; readonly fresh: boolean },
): Promise<never> {
  if (error instanceof ServiceError && REFUSED.has(error.fault.status)) {
    if (key.fresh) await rm(key.file, { force: true });
    throw error;
  }
  const { code, message } = error instanceof ServiceError ? error : LOST;
  throw new ServiceError(code, message, {
    cause: error,
    hint: `The token may already be used. Within ten minutes, the same key still gets its certificate: add --key ${key.file}`,
  });
}

/** With these the API says that it made no certificate. */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 404, 409, 410, 413, 415, 422, 429]);
const LOST = {
  code: 'control_unreachable',
  message: 'Cannot redeem the token: the control API did not answer',
} as const;
