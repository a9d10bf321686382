// `doorward login --url URL`: logs in to a service, and keeps its address with an API key, or where a client
// certificate lies, for later commands. On a terminal a browser does it, or an API key that is typed unseen;
// elsewhere the key comes on standard input, so that it is in no history and no process list.

import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CallerObject } from '../../wire/caller.ts';
import { createNodeClient, createNodeOAuth, type NodeClientOptions } from '../../client/node-client.ts';
import { KEY_SCOPES, type KeyScope } from '../../domain/role.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { CertificateFiles } from './client-certificate.ts';
import {
  addCertificateOptions,
  allowsPlainHttp,
  certificateFiles,
  certificateFor,
  type CertificateOptions,
  checkKey,
  parseControlUrl,
  type PlainHttpOptions,
  plainHttpOption,
  refusePlainHttp,
} from './connection.ts';
import { type Credentials, credentialsFile, readCredentials, writeCredentials } from './credentials.ts';
import { logInByDevice } from './device-login.ts';
import { newCommand } from '../command.ts';
import { choiceOption, jsonOption, onceOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';
import { type WayOut, wayOut } from '../way-out.ts';

export function addLogin(program: Command, terminal: Terminal): void {
  const command = newCommand(program, 'login', [
    'doorward login --url https://control.example.com',
    'doorward login --url https://control.example.com --browser --qr',
    'doorward login --url https://control.example.com < api-key.txt',
    'doorward login --url https://control.example.com --cert ann.cert.pem',
  ])
    .description('log in to a Doorward server (saves its URL and your API key)')
    .addHelpText(
      'after',
      '\nWithout a terminal, the command reads the API key from standard input, unless you give --browser. With --cert it needs no key: the certificate’s role applies.',
    )
    .addOption(
      onceOption('--url <url>', 'the control API (control.public_url)')
        .env('DOORWARD_URL')
        .makeOptionMandatory(),
    )
    .option('--browser', 'log in with a browser, on this device or another')
    .addOption(
      choiceOption('--scope <scope>', 'what the key of a browser login may do (default: full)', KEY_SCOPES),
    )
    .option('--qr', 'also show the address for the browser as a QR code');
  addCertificateOptions(command)
    .addOption(plainHttpOption())
    .addOption(jsonOption())
    .action(async (options: Options) => {
      const url = parseControlUrl(options.url);
      refusePlainHttp(url, allowsPlainHttp(terminal, options));
      const files = certificateFiles(options);
      if (files !== null && options.browser)
        throw new ServiceError('usage', 'Cannot log in: --cert and --browser contradict each other');
      const wayTo = wayOut(terminal);
      const kept =
        files === null ? await keyFor(url, { terminal, options, wayTo }) : await lookAt(files, url);
      const client = createNodeClient({ url, ...kept.call, wayTo });
      // What does not work is not kept. This any key may ask, one for tunnels alone as well.
      if (!kept.credentials.isOwn) await client.gateways();
      const file = credentialsFile(terminal.env);
      const before = await readCredentials(file).catch(() => null);
      const credentials = { url, ...kept.credentials };
      let asWhom = '';
      try {
        // Who confirmed the login is not always who began it.
        if (kept.credentials.isOwn) asWhom = whoText(await client.caller());
        await writeCredentials(file, credentials);
      } catch (error) {
        await endOwn(credentials, wayTo);
        throw error;
      }
      // Nobody has the key of a former login in a browser any more: it ends now rather than when it expires.
      if (before !== null) await endOwn(before, wayTo);
      if (options.json) printJson(terminal, { url: url.origin, file });
      else terminal.err(`Logged in at ${url.origin}${asWhom}. ${kept.text} saved in ${file}.\n`);
    });
}

type Options = CertificateOptions &
  PlainHttpOptions & {
    readonly url: string;
    readonly browser?: true;
    readonly scope?: KeyScope;
    readonly qr?: true;
    readonly json?: true;
  };

type Kept = {
  readonly call: Pick<NodeClientOptions, 'apiKey' | 'clientCertificate'>;
  readonly credentials: Omit<Credentials, 'url'>;
  readonly text: string;
};

type Asking = { readonly terminal: Terminal; readonly options: Options; readonly wayTo: WayOut };

async function keyFor(url: URL, { terminal, options, wayTo }: Asking): Promise<Kept> {
  const { browser = false, scope, qr = false, json = false } = options;
  const inBrowser = async (): Promise<Kept> => {
    const calls = createNodeOAuth({ url, wayTo });
    const apiKey = await logInByDevice(calls, terminal, { scope: scope ?? 'full', qr, json });
    return keptKey(apiKey, true);
  };
  if (browser || scope !== undefined || qr) return inBrowser();
  const isPerson = (terminal.ask ?? null) !== null;
  const typed = await terminal.readSecret(
    isPerson ? 'API key (press Enter to log in with a browser): ' : 'API key: ',
  );
  if (isPerson && typed.reveal() === '') return inBrowser();
  return keptKey(checkKey(typed.reveal(), 'standard input'), false);
}

function keptKey(apiKey: NonNullable<Credentials['apiKey']>, isOwn: boolean): Kept {
  const credentials = { apiKey, isOwn, clientCertificate: null };
  return { call: { apiKey }, credentials, text: 'The key is' };
}

function whoText({ account, member, role }: CallerObject): string {
  const who = member === null ? '' : `${plain(member.email)}, `;
  return ` as ${who}${role} of account ${plain(account.name)}`;
}

/** The files stay where they are: the paths are kept. */
async function lookAt(files: CertificateFiles, url: URL): Promise<Kept> {
  const clientCertificate = { certificate: resolve(files.certificate), key: resolve(files.key) };
  const shown = await certificateFor(clientCertificate, url);
  return {
    call: { apiKey: null, clientCertificate: shown },
    credentials: { apiKey: null, isOwn: false, clientCertificate },
    text: 'The location of the certificate is',
  };
}

/** Nobody waits for more than one try: it expires by itself. */
async function endOwn({ url, apiKey, isOwn }: Credentials, wayTo: WayOut): Promise<void> {
  if (!isOwn || apiKey === null) return;
  await createNodeOAuth({ url, wayTo })
    .revoke(apiKey)
    .catch(() => {});
}
