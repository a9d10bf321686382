// Provider definitions and secrets come in files, since a secret has no place among a process's arguments. `-` is standard input.

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ServiceError } from '../domain/service-error.ts';

/** What is in it is the API's to judge. Throws `usage` for a file that cannot be read or is no JSON object. */
export async function readDefinitionFile(file: string): Promise<object> {
  let value: unknown;
  try {
    value = JSON.parse(await contentOf(file));
  } catch (cause) {
    const found = (cause as NodeJS.ErrnoException).code ?? 'it is no JSON';
    throw new ServiceError('usage', `Cannot read the definition ${file}: ${found}`, { cause, hint: HINT });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ServiceError('usage', `Cannot read the definition ${file}: it is no object`, { hint: HINT });
  return value;
}

/** Without the line break that editors and `echo` put at the end. Throws `usage` for a file that cannot be read or holds none. */
export async function readSecretFile(file: string): Promise<string> {
  let content: string;
  try {
    content = await contentOf(file);
  } catch (cause) {
    const found = (cause as NodeJS.ErrnoException).code ?? 'it cannot be read';
    throw new ServiceError('usage', `Cannot read the secret ${file}: ${found}`, { cause });
  }
  const secret = content.replace(/\r?\n$/, '');
  if (secret === '') throw new ServiceError('usage', `Cannot read the secret ${file}: it is empty`);
  return secret;
}

function contentOf(file: string): Promise<string> {
  return file === '-' ? text(process.stdin) : readFile(file, 'utf8');
}

const HINT = 'See examples/providers/ for definitions of each type.';
