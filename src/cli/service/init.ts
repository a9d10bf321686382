// `doorward init`: a folder with a sound `doorward.yaml`, fresh keys and the master key (DESIGN 2.4). It
// never writes over anything.

import { mkdir, open, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { canGetCertificates, renderTemplate } from '../../config/template.ts';
import { randomBytes } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { newMasterKeyText } from '../../store/sealing/master-key.ts';
import { printJson, type Terminal } from '../terminal.ts';

export type InitOptions = {
  readonly dir: string;
  readonly publicUrl: string;
  /** Certificates come by themselves; they do not when absent. */
  readonly acmeEmail?: string;
  readonly json: boolean;
};

export const DEFAULT_PUBLIC_URL = 'http://*.share.localhost:8080';

/**
 * Writes both files, mode 0600, and answers the exit code. Throws `usage` when the public URL is unfit or
 * either file exists; then nothing was written.
 */
export async function runInit(options: InitOptions, terminal: Terminal): Promise<number> {
  const folder = resolve(options.dir);
  const config = join(folder, 'doorward.yaml');
  const masterKey = join(folder, 'master.key');
  const text = renderTemplate({
    file: config,
    publicUrl: options.publicUrl,
    acmeEmail: options.acmeEmail ?? (await askedEmail(options, terminal)),
    signingKey: freshKey(SIGNING_KEY_BYTES),
    encryptionKey: freshKey(ENCRYPTION_KEY_BYTES),
    proxySecret: freshKey(ENCRYPTION_KEY_BYTES),
  });
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  await writeNew(config, text);
  try {
    await writeNew(masterKey, newMasterKeyText());
  } catch (error) {
    await rm(config);
    throw error;
  }
  if (options.json) printJson(terminal, { config, masterKey });
  else terminal.err(nextSteps(config, masterKey));
  return 0;
}

/** Null for none: nobody sits there, none was given, or no certificate could be had for these shares. */
async function askedEmail(
  { publicUrl, json }: InitOptions,
  { ask = null }: Terminal,
): Promise<string | null> {
  if (ask === null || json || !canGetCertificates(publicUrl)) return null;
  const email = (await ask(ASK_EMAIL)).trim();
  return email === '' ? null : email;
}

/**
 * Creates the file and makes it durable. The exclusive flag refuses links too, so nothing elsewhere is
 * written.
 */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    const handle = await open(file, 'wx', FILE_MODE);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    const found = exists ? 'it exists' : cause instanceof Error ? cause.message : 'an unknown error';
    const hint = exists
      ? 'Choose another folder with --dir, or move the file away.'
      : 'Choose a folder that you may write to.';
    throw new ServiceError('usage', `Cannot write ${file}: ${found}`, { cause, hint });
  }
}

function freshKey(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

function nextSteps(config: string, masterKey: string): string {
  return `wrote ${config}
wrote ${masterKey}

Next:
  1. Put your identity provider into ${config}, where it says PLACEHOLDER.
  2. doorward config check --config ${config}
  3. doorward account create NAME --admin EMAIL --config ${config}
  4. doorward serve --config ${config}
`;
}

const ASK_EMAIL =
  "Get certificates from Let's Encrypt, and agree to its terms? Your email address (empty for no): ";
/** 256 bits each, as 64 hexadecimal characters: far over the contract's lengths (section 8). */
const SIGNING_KEY_BYTES = 32;
const ENCRYPTION_KEY_BYTES = 32;
/** Keys are for their owner alone. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
