// Which control API to call, and with which key or client certificate: flags first, then the environment,
// then what `doorward login` kept. What was kept goes to the address that it was kept for, and nowhere else.

import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { createNodeClient } from '../../client/node-client.ts';
import { parseApiKey } from '../../domain/api-key.ts';
import type { Secret } from '../../domain/secret.ts';
import { isSecureUrl } from '../../domain/secure-url.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ClientCertificate } from '../../client/send.ts';
import { type CertificateFiles, keyFileOf, readClientCertificate } from './client-certificate.ts';
import { type Credentials, credentialsFile, readCredentials } from './credentials.ts';
import { onceOption } from '../option-parsers.ts';
import type { Terminal } from '../terminal.ts';
import { type WayOut, wayOut } from '../way-out.ts';

/** Files. */
export type CertificateOptions = {
  readonly cert?: string;
  readonly key?: string;
};

/** An API key goes over https, or within this machine, unless its owner says so. */
export type PlainHttpOptions = { readonly allowPlainHttp?: boolean };

export type ConnectionOptions = CertificateOptions &
  PlainHttpOptions & {
    readonly url?: string;
    readonly apiKeyFile?: string;
    /** As `ClientOptions`; no option of the command line. */
    readonly callLimitMs?: number;
  };

export function addCertificateOptions(command: Command): Command {
  return command
    .addOption(
      onceOption('--cert <file>', 'use this client certificate (PEM)')
        .env('DOORWARD_CLIENT_CERTIFICATE')
        .helpGroup(CONNECTION),
    )
    .addOption(
      onceOption('--key <file>', 'its key (PEM, default: x.key.pem beside x.cert.pem)')
        .env('DOORWARD_CLIENT_KEY')
        .helpGroup(CONNECTION),
    );
}

/**
 * There is no flag for the key itself: every user of a machine can read what its processes were started with.
 */
export function addConnectionOptions(command: Command): Command {
  return addCertificateOptions(command)
    .addOption(
      onceOption('--url <url>', 'the control API (control.public_url)')
        .env('DOORWARD_URL')
        .helpGroup(CONNECTION),
    )
    .addOption(
      onceOption('--api-key-file <file>', 'a file with the API key (or the key itself in DOORWARD_API_KEY)')
        .env('DOORWARD_API_KEY_FILE')
        .helpGroup(CONNECTION),
    )
    .addOption(plainHttpOption());
}

/** Without commander's `env()`, which takes any value for a yes, `0` too. */
export function plainHttpOption(): Option {
  return new Option(
    '--allow-plain-http',
    'send the API key unencrypted to http: addresses of other machines (or DOORWARD_ALLOW_PLAIN_HTTP=1)',
  ).helpGroup(CONNECTION);
}

export function allowsPlainHttp({ env }: Terminal, { allowPlainHttp }: PlainHttpOptions): boolean {
  return allowPlainHttp === true || env['DOORWARD_ALLOW_PLAIN_HTTP'] === '1';
}

/** Throws `usage` for plain http to another machine, which nobody allowed. */
export function refusePlainHttp(url: URL, allowed: boolean): void {
  if (allowed || isSecureUrl(url)) return;
  throw new ServiceError('usage', `Cannot call ${url.origin}: an API key would be sent unencrypted`, {
    hint: 'Use the https address of the control API. On a private network, give --allow-plain-http or DOORWARD_ALLOW_PLAIN_HTTP=1.',
  });
}

export type Connection = {
  readonly client: Client;
  readonly url: URL;
  /** Null with a client certificate alone. */
  readonly apiKey: Secret | null;
  readonly clientCertificate: ClientCertificate | null;
  readonly allowPlainHttp: boolean;
  readonly wayTo: WayOut;
};

/**
 * Throws `usage` without an address and for one over plain http, `api_key_missing` with neither key nor
 * client certificate.
 */
export async function connect(terminal: Terminal, options: ConnectionOptions): Promise<Client> {
  return (await openConnection(terminal, options)).client;
}

/** For what shows the address, key or certificate elsewhere, too. Throws as `connect`. */
export async function openConnection(terminal: Terminal, options: ConnectionOptions): Promise<Connection> {
  const found = await findCredentials(terminal, options);
  const { apiKey, clientCertificate, url } = found;
  if (apiKey === null && clientCertificate === null) throw noKey(url);
  const wayTo = wayOut(terminal);
  return {
    client: createNodeClient({ ...found, wayTo, callLimitMs: options.callLimitMs }),
    url,
    apiKey,
    clientCertificate,
    wayTo,
    allowPlainHttp: allowsPlainHttp(terminal, options),
  };
}

type Found = {
  readonly url: URL;
  readonly apiKey: Secret | null;
  readonly clientCertificate: ClientCertificate | null;
};

function urlOf(options: ConnectionOptions, kept: Credentials | null): URL {
  const url = options.url === undefined ? kept?.url : parseControlUrl(options.url);
  if (url === undefined)
    throw new ServiceError('usage', 'Cannot call the control API: no address is given', {
      hint: 'Log in once with "doorward login --url URL", or set --url or DOORWARD_URL.',
    });
  return url;
}

async function findCredentials(terminal: Terminal, options: ConnectionOptions): Promise<Found> {
  const kept = await readCredentials(credentialsFile(terminal.env));
  const url = urlOf(options, kept);
  refusePlainHttp(url, allowsPlainHttp(terminal, options));
  const ours = kept?.url.origin === url.origin ? kept : null;
  const apiKey = await findKey(terminal, options, ours);
  return { url, apiKey, clientCertificate: await findCertificate(options, { kept: ours, url }) };
}

async function findCertificate(
  options: CertificateOptions,
  { kept, url }: { readonly kept: Credentials | null; readonly url: URL },
): Promise<ClientCertificate | null> {
  const files = certificateFiles(options) ?? kept?.clientCertificate ?? null;
  return files === null ? null : certificateFor(files, url);
}

/** Throws `usage` for files that hold none, and where it cannot be shown. */
export function certificateFor(files: CertificateFiles, url: URL): Promise<ClientCertificate> {
  if (url.protocol !== 'https:')
    throw new ServiceError('usage', `Cannot present a client certificate to ${url.origin}: this needs https`);
  return readClientCertificate(files);
}

/** Null when none is given. Throws `usage` for a key alone, and for one that cannot be told. */
export function certificateFiles({ cert, key }: CertificateOptions): CertificateFiles | null {
  if (cert !== undefined) return { certificate: cert, key: key ?? keyFileOf(cert) };
  if (key === undefined) return null;
  throw new ServiceError('usage', 'Cannot use --key without --cert: the certificate is missing');
}

function noKey(url: URL): ServiceError {
  return new ServiceError('api_key_missing', `Cannot call ${url.origin}: there is no API key for it`, {
    hint: `Run "doorward login --url ${url.origin}", or set DOORWARD_API_KEY or DOORWARD_API_KEY_FILE. To use a client certificate instead, give --cert.`,
  });
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
    throw new ServiceError('usage', 'Cannot choose an API key: both a key and a key file are given', {
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
      `Cannot use the API key of ${source}: it is not dw_ followed by 43 characters`,
    );
  return key;
}

/** The heading in the help of every command that calls the control API. */
const CONNECTION = 'Connection:';
