// A secret in a state file: never its text, only where it is: `{ env: NAME }` or `{ file: PATH }`. What is
// wrong with it is told without telling it.

import { quoteValue } from './config-fault.ts';
import { fault, openSection, type Section, joinPath, resolvePath } from './section.ts';

export type StateSource = {
  /** The state file, absolute: paths in it are relative to its folder. */
  readonly file: string;
  /** The bytes of another file; throws when it cannot be read. */
  readonly readFile: (path: string) => Uint8Array;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** The text, or undefined after a fault. */
export function readStateSecret(
  outer: Section,
  key: string,
  { env, readFile }: StateSource,
): string | undefined {
  const tree = outer.entries.get(key);
  if (!(tree instanceof Map))
    return fault(outer, key, { found: typeof tree === 'string' ? 'a text' : 'no place', wanted: WANTED });
  const section = openSection(outer.context, {
    path: joinPath(outer.path, key),
    tree,
    known: ['env', 'file'],
  });
  const [[kind, name] = [], ...others] = [...tree];
  if (section === undefined || others.length > 0 || typeof name !== 'string' || name === '')
    return fault(outer, key, { found: 'another form', wanted: WANTED });
  if (kind === 'env') {
    const text = env[name];
    if (text !== undefined && text !== '') return text;
    return fault(section, 'env', {
      found: `the variable ${quoteValue(name)}, which is ${text === undefined ? 'not set' : 'empty'}`,
      wanted: 'a variable with the secret; to keep the secret that is there, leave the key out',
    });
  }
  if (kind !== 'file') return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFile(resolvePath(outer.context, name)));
    if (text.trim() !== '') return text.replace(/\r?\n$/, '');
  } catch {
    return fault(section, 'file', {
      found: `the file ${quoteValue(name)}, which cannot be read`,
      wanted: 'a readable file with the secret',
    });
  }
  return fault(section, 'file', { found: 'an empty file', wanted: 'a file with the secret' });
}

const WANTED = '{ env: NAME } or { file: PATH }: secrets do not stand in the file';
