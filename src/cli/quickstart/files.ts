// The quick start's folder: configuration with fresh keys, master key, API key, test provider's keys,
// records, log. Made once, reused ever after, for its owner alone.

import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Document } from 'yaml';
import { parseApiKey } from '../../domain/api-key.ts';
import type { Secret } from '../../domain/secret.ts';
import { newMasterKeyText } from '../../store/sealing/master-key.ts';
import { clientSecretOf, newConfig, parseConfigText, portOf, setPorts } from './config.ts';
import type { Ports } from './ports.ts';

export type QuickstartFiles = {
  readonly folder: string;
  readonly config: string;
  readonly masterKey: string;
  readonly apiKey: string;
  readonly provider: string;
  readonly log: string;
};

export function quickstartFiles(dir: string): QuickstartFiles {
  const folder = resolve(dir);
  return {
    folder,
    config: join(folder, 'doorward.yaml'),
    masterKey: join(folder, 'master.key'),
    apiKey: join(folder, 'api-key'),
    provider: join(folder, 'devidp'),
    log: join(folder, 'doorward.log'),
  };
}

/** The port that the folder was last started at; null when it contains no configuration yet. */
export async function keptPort(files: QuickstartFiles): Promise<number | null> {
  const config = await readConfigDocument(files);
  return config === null ? null : portOf(config);
}

/** Writes what is missing, the configuration for these ports too. What is there stays as it is. */
export async function prepareFiles(files: QuickstartFiles, ports: Ports): Promise<void> {
  await mkdir(files.folder, { recursive: true, mode: 0o700 });
  await chmod(files.folder, 0o700);
  // The folder is often made inside somebody's repository.
  await writeMissing(join(files.folder, '.gitignore'), '*\n');
  await writeMissing(files.masterKey, newMasterKeyText());
  if ((await readOrNull(files.config)) === null) await writeConfig(files, newConfig(), ports);
}

/**
 * Writes the addresses that follow from the ports where they changed. Answers the test provider's client
 * secret.
 */
export async function applyPorts(files: QuickstartFiles, ports: Ports): Promise<string> {
  const config = parseConfigText((await readOrNull(files.config)) ?? '', files.config);
  await writeConfig(files, config, ports);
  return clientSecretOf(config, files.config);
}

/** The API key that is kept; null when there is none yet, or what is there can be none. */
export async function readKeptKey(files: QuickstartFiles): Promise<Secret | null> {
  return parseApiKey(((await readOrNull(files.apiKey)) ?? '').trim());
}

export async function keepKey(files: QuickstartFiles, apiKey: Secret): Promise<void> {
  await writeWhole(files.apiKey, `${apiKey.reveal()}\n`);
}

async function readConfigDocument(files: QuickstartFiles): Promise<Document | null> {
  const text = await readOrNull(files.config);
  return text === null ? null : parseConfigText(text, files.config);
}

async function writeConfig(files: QuickstartFiles, config: Document, ports: Ports): Promise<void> {
  setPorts(config, ports, files.config);
  const text = config.toString({ lineWidth: 0 });
  if (text !== (await readOrNull(files.config))) await writeWhole(files.config, text);
}

async function writeMissing(file: string, text: string): Promise<void> {
  if ((await readOrNull(file)) === null) await writeWhole(file, text);
}

/** Whole or not at all, should the machine stop in between. */
async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.draft`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, file);
}

async function readOrNull(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
