// `doorward login --url URL`: keeps an address and an API key, or where a client certificate lies, for later commands. The
// key comes on standard input, so that it is in no history and no process list.

import type { Command } from 'commander';
import { resolve } from 'node:path';
import { createNodeClient, type NodeClientOptions } from '../client/node-client.ts';
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
import { type Credentials, credentialsFile, writeCredentials } from './credentials.ts';
import { jsonOption, onceOption } from './option-parsers.ts';
import { printJson, type Terminal } from './terminal.ts';
import { wayOut } from './way-out.ts';

export function addLogin(program: Command, terminal: Terminal): void {
  const command = program
    .command('login')
    .description('keep an address and an API key, read from standard input, for later commands')
    .addHelpText('after', '\nWith --cert no key is asked for: its role counts.')
    .addOption(
      onceOption('--url <url>', 'the control API (control.public_url)')
        .env('DOORWARD_URL')
        .makeOptionMandatory(),
    );
  addCertificateOptions(command)
    .addOption(plainHttpOption())
    .addOption(jsonOption())
    .action(async (options: Options) => {
      const url = parseControlUrl(options.url);
      refusePlainHttp(url, allowsPlainHttp(terminal, options));
      const files = certificateFiles(options);
      const kept = files === null ? await askForKey(terminal) : await lookAt(files, url);
      // What does not work is not kept. This any key may ask, one for tunnels alone as well.
      await createNodeClient({ url, ...kept.call, wayTo: wayOut(terminal) }).gateways();
      const file = credentialsFile(terminal.env);
      await writeCredentials(file, { url, ...kept.credentials });
      if (options.json) printJson(terminal, { url: url.origin, file });
      else terminal.err(`Logged in at ${url.origin}. ${kept.text} kept in ${file}.\n`);
    });
}

type Options = CertificateOptions & PlainHttpOptions & { readonly url: string; readonly json?: true };

type Kept = {
  readonly call: Pick<NodeClientOptions, 'apiKey' | 'clientCertificate'>;
  readonly credentials: Omit<Credentials, 'url'>;
  readonly text: string;
};

async function askForKey(terminal: Terminal): Promise<Kept> {
  const apiKey = checkKey((await terminal.readSecret('API key: ')).reveal(), 'standard input');
  return { call: { apiKey }, credentials: { apiKey, clientCertificate: null }, text: 'The key is' };
}

/** The files stay where they are: the paths are kept. */
async function lookAt(files: CertificateFiles, url: URL): Promise<Kept> {
  const clientCertificate = { certificate: resolve(files.certificate), key: resolve(files.key) };
  const shown = await certificateFor(clientCertificate, url);
  return {
    call: { apiKey: null, clientCertificate: shown },
    credentials: { apiKey: null, clientCertificate },
    text: 'Where the certificate lies is',
  };
}
