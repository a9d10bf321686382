// Which keys the file of a configuration has, in which line, and whether it says the default there. Lines and
// paths alone: no value is kept, so no secret is.

import { parseDuration } from '../domain/duration.ts';
import { keyOf } from './config-fault.ts';
import { type Field, type Fields, TOP_FIELDS } from './describe.ts';
import { isSectionKey, SECTION_FIELDS } from './sections.ts';
import type { ReadTree, Tree } from './yaml-tree.ts';

/** By path: `oauth.session_lifetime`, `oauth.providers[0]`. A key that the file lacks is not among them. */
export type WrittenKeys = ReadonlyMap<string, WrittenKey>;

export type WrittenKey = {
  readonly line: number;
  /** Null where there is no default. */
  readonly isDefault: boolean | null;
};

/** Of a configuration without faults. */
export function writtenKeys({ root, positions }: ReadTree): WrittenKeys {
  const written = new Map<string, WrittenKey>();
  for (const [path, position] of positions) {
    if (path === '' || path.endsWith(KEY_MARK)) continue;
    // Where the key stands: a text of several lines begins in the line after it.
    const { line } = positions.get(keyOf(path)) ?? position;
    written.set(path, { line, isDefault: saysDefault(root, path) });
  }
  return written;
}

function saysDefault(root: Tree, path: string): boolean | null {
  const absent = fieldAt(path)?.absent;
  if (absent === undefined || absent === 'required') return null;
  return 'default' in absent && isSame(valueAt(root, path), absent.default);
}

function fieldAt(path: string): Field | undefined {
  const [section, key, ...rest] = path.split('.');
  if (section === undefined || rest.length > 0) return undefined;
  if (key === undefined) return own(TOP_FIELDS, section);
  return isSectionKey(section) ? own(SECTION_FIELDS[section], key) : undefined;
}

function own(fields: Fields, key: string): Field | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** Of a path that `fieldAt` knows, which names keys alone. */
function valueAt(root: Tree, path: string): Tree | undefined {
  return path
    .split('.')
    .reduce<Tree | undefined>((tree, key) => (tree instanceof Map ? tree.get(key) : undefined), root);
}

type Default = string | number | boolean | readonly string[];

function isSame(value: Tree | undefined, usual: Default): boolean {
  if (typeof usual === 'string' && typeof value === 'string')
    return value === usual || isSameDuration(value, usual);
  if (typeof usual !== 'object') return value === usual;
  return Array.isArray(value) && value.length === usual.length && usual.every((each, i) => each === value[i]);
}

/** `24h` is `1d`. */
function isSameDuration(one: string, other: string): boolean {
  const length = durationOf(one);
  return length !== null && length === durationOf(other);
}

function durationOf(text: string): number | null {
  try {
    return parseDuration(text);
  } catch {
    return null;
  }
}

/** What `keyOf` ends with. */
const KEY_MARK = ':';
