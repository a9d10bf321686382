// Whether what must stay secret is kept from others: the configuration, the files that it names, the master
// key.

import { readFile, stat } from 'node:fs/promises';
import { dirname, relative, resolve, isAbsolute } from 'node:path';
import { parse } from 'yaml';
import type { Config } from '../../config/config.ts';
import { type Check, fails, passes, warns } from '../../domain/check.ts';
import { readMasterKey } from '../../store/sealing/master-key.ts';

/** The configuration was read: its keys are long enough, and differ. */
export async function keyChecks(config: Config): Promise<readonly Check[]> {
  const named = secretsIn(parse(await readFile(config.file, 'utf8')));
  const folder = dirname(config.file);
  const files = await Promise.all(
    named.files.map((file) => fileCheck('secret file', resolve(folder, file), true)),
  );
  return [
    passes('keys', 'the signing key and the encryption key are long enough and different'),
    await fileCheck('configuration', config.file, named.inline),
    ...files,
    await masterKeyCheck(config),
    ...placeCheck(config),
  ];
}

async function fileCheck(name: string, file: string, secret: boolean): Promise<Check> {
  const { mode } = await stat(file);
  const text = (mode & 0o777).toString(8).padStart(4, '0');
  if (!secret) return passes(name, `${file} contains no secret itself`);
  const next = `Run chmod 600 ${file}.`;
  if ((mode & WORLD) !== 0)
    return fails(name, `${file} contains secrets and is accessible to everybody (${text})`, next);
  if ((mode & GROUP) !== 0)
    return warns(name, `${file} contains secrets and is accessible to its group (${text})`, next);
  return passes(name, `${file} is accessible to its owner only (${text})`);
}

async function masterKeyCheck({ store }: Config): Promise<Check> {
  try {
    await readMasterKey(store.masterKeyFile);
    return passes('master key', `${store.masterKeyFile} is accessible to its owner only`);
  } catch (error) {
    const found = error instanceof Error ? error.message : 'it cannot be read';
    return fails(
      'master key',
      found,
      'Create one with "doorward init". If it is lost, restore it from your own copy: Doorward backups do not contain it.',
    );
  }
}

/** In the data folder it would be in every backup, beside what it keeps secret. */
function placeCheck({ store }: Config): readonly Check[] {
  if (store.engine.kind !== 'sqlite') return [];
  const data = dirname(store.engine.file);
  const way = relative(data, store.masterKeyFile);
  if (way.startsWith('..') || isAbsolute(way)) return [passes('master key place', 'outside the data folder')];
  return [
    fails(
      'master key place',
      `it is in the data folder ${data}`,
      'Move it beside the configuration, and set store.master_key_file.',
    ),
  ];
}

/** Keys end on `_file` when the secret is in a file; certificates and pictures are none. */
function secretsIn(tree: unknown): { readonly inline: boolean; readonly files: readonly string[] } {
  let inline = false;
  const files: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (SECRETS.has(key)) inline = true;
      else if (isSecretFile(key)) files.push(String(member));
      else if (key === 'url' && /^postgres(?:ql)?:\/\/[^/@]*:[^/@]+@/.test(String(member))) inline = true;
      else walk(member);
    }
  };
  walk(tree);
  return { inline, files };
}

function isSecretFile(key: string): boolean {
  const name = key.endsWith(FILE_SUFFIX) ? key.slice(0, -FILE_SUFFIX.length) : '';
  return SECRETS.has(name) || name === 'url';
}

const FILE_SUFFIX = '_file';
/** Names of members that are secrets; as `<name>_file`, the file that holds it. */
const SECRETS: ReadonlySet<string> = new Set([
  'signing_key',
  'encryption_key',
  'client_secret',
  'client_private_key',
]);
const GROUP = 0o070;
const WORLD = 0o007;
