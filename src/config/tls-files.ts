// Certificates from their files, read again when a file changes. A pair that does not fit together is never
// put to use: at start it is a fault of the configuration, later the former pair stays.

import { X509Certificate, createPrivateKey } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { ServiceError } from '../domain/service-error.ts';
import type { TlsFiles } from './config.ts';

/** A certificate chain and its key, PEM. */
export type TlsPair = { readonly certificate: string; readonly key: string };

/** Reads and checks every pair. Throws `config_invalid` naming the file. */
export async function readTlsFiles(files: readonly TlsFiles[]): Promise<readonly TlsPair[]> {
  return Promise.all(files.map(readPair));
}

/**
 * Calls `changed` with all pairs when any file changed and all fit, `faulty` when they do not. Returns how to
 * stop.
 */
export function watchTlsFiles(
  files: readonly TlsFiles[],
  { changed, faulty }: { changed: (pairs: readonly TlsPair[]) => void; faulty: (error: unknown) => void },
): () => void {
  const names = files.flatMap((pair) => [pair.certificateFile, pair.keyFile]);
  const listener = (): void => {
    readTlsFiles(files).then(changed).catch(faulty);
  };
  for (const name of names) watchFile(name, { interval: WATCH_INTERVAL_MS, persistent: false }, listener);
  return () => {
    for (const name of names) unwatchFile(name, listener);
  };
}

async function readPair({ certificateFile, keyFile }: TlsFiles): Promise<TlsPair> {
  const [certificate, key] = await Promise.all([readPem(certificateFile), readPem(keyFile)]);
  let fits: boolean;
  try {
    fits = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch (cause) {
    throw new ServiceError('config_invalid', `Cannot use ${certificateFile} with ${keyFile}: not PEM`, {
      cause,
    });
  }
  if (!fits)
    throw new ServiceError(
      'config_invalid',
      `Cannot use ${certificateFile} with ${keyFile}: the key belongs to another certificate`,
    );
  try {
    // The whole chain, which a file that is just being written may not hold yet.
    createSecureContext({ cert: certificate, key });
  } catch (cause) {
    throw new ServiceError('config_invalid', `Cannot use ${certificateFile}: its chain cannot be read`, {
      cause,
    });
  }
  return { certificate, key };
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new ServiceError(
      'config_invalid',
      `Cannot read ${file}: ${(cause as NodeJS.ErrnoException).code ?? 'unknown'}`,
      { cause },
    );
  }
}

/** Files are looked at by polling: renewal tools replace links, which file system events miss. */
const WATCH_INTERVAL_MS = 5_000;
