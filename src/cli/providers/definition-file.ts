// Provider definitions and secrets come in files, since a secret has no place among a process's arguments.
// `-` is standard input.

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { imageUrl } from '../../domain/image-url.ts';
import { ICON_WANTED } from '../../domain/provider-icon.ts';
import { ServiceError } from '../../domain/service-error.ts';

/**
 * What is in it is the API's to judge. Throws `usage` for a file that cannot be read or is no JSON object.
 */
export async function readDefinitionFile(file: string): Promise<object> {
  let value: unknown;
  try {
    value = JSON.parse(await contentOf(file));
  } catch (cause) {
    const found = (cause as NodeJS.ErrnoException).code ?? 'it is not JSON';
    throw new ServiceError('usage', `Cannot read the definition ${file}: ${found}`, { cause, hint: HINT });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ServiceError('usage', `Cannot read the definition ${file}: it is not an object`, {
      hint: HINT,
    });
  return value;
}

/**
 * Without the line break that editors and `echo` put at the end. Throws `usage` for a file that cannot be
 * read or holds none.
 */
export async function readSecretFile(file: string): Promise<string> {
  const secret = (await readTextFile(file)).replace(/\r?\n$/, '');
  if (secret === '') throw new ServiceError('usage', `Cannot use the secret of ${file}: it is empty`);
  return secret;
}

/** Throws `usage` for a file that cannot be read. */
export async function readTextFile(file: string): Promise<string> {
  try {
    return await contentOf(file);
  } catch (cause) {
    const found = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new ServiceError('usage', `Cannot read ${file}: ${found}`, { cause });
  }
}

/** An image as a `data:` URL; whether it is small enough is the API's to judge. Throws `usage`. */
export async function readIconFile(file: string): Promise<string> {
  try {
    const url = imageUrl(file, await readFile(file, 'base64'));
    if (url !== null) return url;
  } catch (cause) {
    const found = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new ServiceError('usage', `Cannot read the icon ${file}: ${found}`, { cause, hint: ICON_HINT });
  }
  throw new ServiceError('usage', `Cannot use ${file} as an icon: it is no image`, { hint: ICON_HINT });
}

function contentOf(file: string): Promise<string> {
  return file === '-' ? text(process.stdin) : readFile(file, 'utf8');
}

const ICON_HINT = `Use ${ICON_WANTED}.`;
const HINT = 'For examples of each type, see examples/providers/.';
