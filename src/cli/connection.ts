// Which control API to call, and with which key: flags first, then the environment, then what `doorward login` kept.
// A kept key goes to the address that it was kept for, and nowhere else.

import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { type Client, createClient } from '../client/client.ts';
import { parseApiKey } from '../domain/api-key.ts';
import type { Secret } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import { type Credentials, credentialsFile, readCredentials } from './credentials.ts';
import { onceOption } from './option-parsers.ts';
import type { Terminal } from './terminal.ts';

export type ConnectionOptions = {
  readonly url?: string;
  readonly apiKeyFile?: string;
  /** As `ClientOptions`; no option of the command line. */
  readonly callLimitMs?: number;
};

/** There is no flag for the key itself: every user of a machine can read what its processes were started with. */
export function addConnectionOptions(command: Command): Command {
  return command
    .addOption(onceOption('--url <url>', 'the control API (control.public_url)').env('DOORWARD_URL'))
    .addOption(
      onceOption(
        '--api-key-file <file>',
        'a file with the API key (or the key itself in DOORWARD_API_KEY)',
      ).env('DOORWARD_API_KEY_FILE'),
    );
}

export type Connection = { readonly client: Client; readonly apiKey: Secret };

/** Throws `usage` without an address, `api_key_missing` without a key. */
export async function connect(terminal: Terminal, options: ConnectionOptions): Promise<Client> {
  return (await openConnection(terminal, options)).client;
}

/** For what needs the key itself, too. Throws as `connect`. */
export async function openConnection(terminal: Terminal, options: ConnectionOptions): Promise<Connection> {
  const kept = await readCredentials(credentialsFile(terminal.env));
  const url = options.url === undefined ? kept?.url : parseControlUrl(options.url);
  if (url === undefined)
    throw new ServiceError('usage', 'Cannot tell which control API to call: no address is given', {
      hint: 'Log in once with "doorward login --url URL", or set --url or DOORWARD_URL.',
    });
  const apiKey = await findKey(terminal, options, kept?.url.origin === url.origin ? kept : null);
  if (apiKey === null)
    throw new ServiceError('api_key_missing', `Cannot call ${url.origin}: there is no API key for it`, {
      hint: `Run "doorward login --url ${url.origin}", or set DOORWARD_API_KEY or DOORWARD_API_KEY_FILE.`,
    });
  return { client: createClient({ url, apiKey, callLimitMs: options.callLimitMs }), apiKey };
}

/** Throws `usage` for anything but an http or https address without path. */
export function parseControlUrl(text: string): URL {
  const url = URL.parse(text);
  const web = url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
  if (!web || url.username !== '' || url.password !== '' || url.pathname !== '/' || url.search !== '')
    throw new ServiceError('usage', `Cannot use "${text}" as the control API's address`, {
      hint: 'Write it as https://control.example.com or http://127.0.0.1:8282.',
    });
  return url;
}

async function findKey(
  { env }: Terminal,
  options: ConnectionOptions,
  kept: Credentials | null,
): Promise<Secret | null> {
  const text = env['DOORWARD_API_KEY'];
  if (text !== undefined && options.apiKeyFile !== undefined)
    throw new ServiceError('usage', 'Cannot tell which API key to use: both a key and a key file are given', {
      hint: 'Unset DOORWARD_API_KEY, or leave out --api-key-file and DOORWARD_API_KEY_FILE.',
    });
  if (text !== undefined) return checkKey(text, 'DOORWARD_API_KEY');
  if (options.apiKeyFile !== undefined) return readKeyFile(options.apiKeyFile);
  return kept?.apiKey ?? null;
}

async function readKeyFile(file: string): Promise<Secret> {
  try {
    return checkKey(await readFile(file, 'utf8'), file);
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new ServiceError('usage', `Cannot read the API key file ${file}: ${code}`, { cause });
  }
}

/** Throws `usage` for what cannot be a key, without showing it. */
export function checkKey(text: string, source: string): Secret {
  const key = parseApiKey(text.trim());
  if (key === null)
    throw new ServiceError(
      'usage',
      `Cannot use the API key of ${source}: it is not written as dw_ and 43 characters`,
    );
  return key;
}
