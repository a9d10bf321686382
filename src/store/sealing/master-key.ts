// The master key: 32 random bytes that seal columns. It lies in a file beside the configuration, never in the
// data folder or a backup, and nobody but its owner may read it (DESIGN "Keys"). Under the key the file may
// name others that open what they sealed: the next one while `key-rotation.ts` is under way, or a previous
// one for an old backup.

import { readFileSync, statSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Secret, randomBytes } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';

/**
 * A fresh master key as the text of its file: 43 base64url characters and a newline. Write it with mode 0600.
 */
export function newMasterKeyText(): string {
  return `${randomBytes(KEY_BYTES).toString('base64url')}\n`;
}

/** The keys of a file: the first line is the key, each further one `next KEY` or `previous KEY`. */
export type MasterKeys = {
  readonly key: Secret;
  readonly next: Secret | null;
  readonly previous: readonly Secret[];
};

/**
 * The key in `file`. Throws `config_invalid` when the file cannot be read, is open to others, or holds no
 * key.
 */
export async function readMasterKey(file: string): Promise<Secret> {
  return (await readMasterKeys(file)).key;
}

/** As `readMasterKey`, with the other keys that the file names. */
export async function readMasterKeys(file: string): Promise<MasterKeys> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (cause) {
    throw refusal(
      file,
      `it cannot be opened (${errorCode(cause)})`,
      'Run doorward init to create one.',
      cause,
    );
  }
  try {
    const stats = await handle.stat();
    const { mode, size } = stats;
    if (isOpenToOthers(stats))
      throw refusal(file, `other users can read or write it (mode ${octal(mode)})`, `Run chmod 600 ${file}.`);
    if (!stats.isFile()) throw refusal(file, 'it is not a regular file', FORM_HINT);
    if (size > MOST_BYTES) throw refusal(file, `it has ${size} bytes`, FORM_HINT);
    const keys = parseMasterKeys(await handle.readFile('utf8'));
    if (keys === null) throw refusal(file, 'it does not contain a key', FORM_HINT);
    return keys;
  } finally {
    await handle.close();
  }
}

/** Every key that `file` names by now, whenever it is asked; none when it cannot be used at the moment. */
export function moreMasterKeys(file: string): () => readonly Secret[] {
  return () => {
    try {
      const stats = statSync(file);
      if (isOpenToOthers(stats) || !stats.isFile() || stats.size > MOST_BYTES) return [];
      const keys = parseMasterKeys(readFileSync(file, 'utf8'));
      return keys === null ? [] : allOf(keys);
    } catch {
      return [];
    }
  };
}

export function allOf({ key, next, previous }: MasterKeys): readonly Secret[] {
  return [key, ...(next === null ? [] : [next]), ...previous];
}

/** Null unless the first line is a key and each other one names one, `next` at most once. */
export function parseMasterKeys(text: string): MasterKeys | null {
  const [first = '', ...others] = text.trim().split(/\s*\n\s*/);
  const key = parseMasterKey(first);
  if (key === null) return null;
  let next: Secret | null = null;
  const previous: Secret[] = [];
  for (const line of others) {
    const [, label, rest = ''] = /^(next|previous)[ \t]+(\S+)$/.exec(line) ?? [];
    const named = parseMasterKey(rest);
    if (named === null || (label === 'next' && next !== null)) return null;
    if (label === 'next') next = named;
    else previous.push(named);
  }
  return { key, next, previous };
}

/** The file's text; each key as `newMasterKeyText` writes it. */
export function masterKeysText({ key, next, previous }: MasterKeys): string {
  const lines = [key.reveal(), ...(next === null ? [] : [`next ${next.reveal()}`])];
  return [...lines, ...previous.map((one) => `previous ${one.reveal()}`), ''].join('\n');
}

/** Null when the text is neither 32 bytes of base64url nor of hex, with at most white space around them. */
export function parseMasterKey(text: string): Secret | null {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return new Secret(Buffer.from(trimmed, 'hex').toString('base64url'));
  const bytes = Buffer.from(trimmed, 'base64url');
  return bytes.length === KEY_BYTES && bytes.toString('base64url') === trimmed ? new Secret(trimmed) : null;
}

/** The bytes of a key that `readMasterKey` or `parseMasterKey` gave. */
export function masterKeyBytes(masterKey: Secret): Buffer {
  const bytes = Buffer.from(masterKey.reveal(), 'base64url');
  if (bytes.length !== KEY_BYTES)
    throw new ServiceError('config_invalid', `Cannot use the master key: it has ${bytes.length} bytes`, {
      hint: FORM_HINT,
    });
  return bytes;
}

function refusal(file: string, found: string, hint: string, cause?: unknown): ServiceError {
  return new ServiceError('config_invalid', `Cannot read master key ${file}: ${found}`, { hint, cause });
}

/**
 * Whether somebody besides its owner and this process can use the file. Where root owns it, this process's
 * own group may read it: so a secret is mounted into a container that does not run as root.
 */
export function isOpenToOthers(
  { mode, uid, gid }: Pick<Stats, 'mode' | 'uid' | 'gid'>,
  own: { readonly uid: number | undefined; readonly gid: number | undefined } = {
    uid: process.getuid?.(),
    gid: process.getgid?.(),
  },
): boolean {
  const isMounted = uid === ROOT && own.uid !== ROOT && gid === own.gid;
  return (mode & OTHERS & (isMounted ? ~GROUP_READS : ~0)) !== 0;
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

const KEY_BYTES = 32;
/** Group and world, any permission. */
const OTHERS = 0o077;
const GROUP_READS = 0o040;
const ROOT = 0;
/** A key has at most 64 characters, and each rotation leaves one; whatever is far longer is another file. */
const MOST_BYTES = 64 * 1_024;
const FORM_HINT = 'Write 32 random bytes as 43 base64url or 64 hex characters, as doorward init does.';
