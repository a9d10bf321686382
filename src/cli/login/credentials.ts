// Where `doorward login` keeps the address and the key, or where a client certificate lies: under the XDG
// config folder, for its owner only.

import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { CertificateFiles } from './client-certificate.ts';
import { Secret, randomToken } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Terminal } from '../terminal.ts';

export type Credentials = {
  readonly url: URL;
  /** One of the two is there. */
  readonly apiKey: Secret | null;
  /** The key was made by a login in a browser, for this file alone. */
  readonly isOwn: boolean;
  /** Absolute paths. */
  readonly clientCertificate: CertificateFiles | null;
};

/**
 * `$XDG_CONFIG_HOME/doorward/credentials.json`; a relative XDG path counts as none, as its specification
 * says.
 */
export function credentialsFile(env: Terminal['env']): string {
  const xdg = env['XDG_CONFIG_HOME'] ?? '';
  const folder = isAbsolute(xdg) ? xdg : join(env['HOME'] ?? homedir(), '.config');
  return join(folder, 'doorward', 'credentials.json');
}

/** Mode 0600, in one step: a crash leaves the old file or the new one. */
export async function writeCredentials(
  file: string,
  { url, apiKey, isOwn, clientCertificate }: Credentials,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${randomToken()}`;
  const kept = {
    url: url.href,
    ...(apiKey === null ? {} : { apiKey: apiKey.reveal() }),
    ...(isOwn ? { madeByLogin: true } : {}),
    ...(clientCertificate === null ? {} : { clientCertificate }),
  };
  const text = JSON.stringify(kept, null, 2);
  await writeFile(fresh, `${text}\n`, { mode: 0o600, flag: 'wx' });
  await rename(fresh, file);
}

/** Null when nobody has logged in here. Throws `usage` when the file is not ours. */
export async function readCredentials(file: string): Promise<Credentials | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const document = parse(text);
  const url = URL.parse(String(document['url']));
  const apiKey = document['apiKey'];
  const clientCertificate = filesIn(document['clientCertificate']);
  if (url === null || (typeof apiKey !== 'string' && clientCertificate === null))
    throw new ServiceError('usage', `Cannot read ${file}: it contains no address and key`, {
      hint: 'Log in again with "doorward login --url URL".',
    });
  return {
    url,
    apiKey: typeof apiKey === 'string' ? new Secret(apiKey) : null,
    isOwn: document['madeByLogin'] === true,
    clientCertificate,
  };
}

export async function removeCredentials(file: string): Promise<void> {
  await rm(file, { force: true });
}

function filesIn(value: unknown): CertificateFiles | null {
  const { certificate, key } = { ...(value as Partial<CertificateFiles> | null) };
  return typeof certificate === 'string' && typeof key === 'string' ? { certificate, key } : null;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...(JSON.parse(text) as object | null) };
  } catch {
    return {};
  }
}
