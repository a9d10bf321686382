// Where `doorward login` keeps the address and the key: under the XDG config folder, for its owner only.

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { Secret, randomToken } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Terminal } from './terminal.ts';

export type Credentials = { readonly url: URL; readonly apiKey: Secret };

/** `$XDG_CONFIG_HOME/doorward/credentials.json`; a relative XDG path counts as none, as its specification says. */
export function credentialsFile(env: Terminal['env']): string {
  const xdg = env['XDG_CONFIG_HOME'] ?? '';
  const folder = isAbsolute(xdg) ? xdg : join(env['HOME'] ?? homedir(), '.config');
  return join(folder, 'doorward', 'credentials.json');
}

/** Mode 0600, in one step: a crash leaves the old file or the new one. */
export async function writeCredentials(file: string, { url, apiKey }: Credentials): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${randomToken()}`;
  const text = JSON.stringify({ url: url.href, apiKey: apiKey.reveal() }, null, 2);
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
  if (url === null || typeof apiKey !== 'string')
    throw new ServiceError('usage', `Cannot read ${file}: it holds no address and key`, {
      hint: 'Write it anew with "doorward login --url URL".',
    });
  return { url, apiKey: new Secret(apiKey) };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...(JSON.parse(text) as object | null) };
  } catch {
    return {};
  }
}
