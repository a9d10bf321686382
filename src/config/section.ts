// Readers for the fields of one section. Each answers a value, or undefined after it has noted a fault, so
// that one reading of a file finds all of them.

import { dirname, resolve } from 'node:path';
import { parseDuration } from '../domain/duration.ts';
import { Secret } from '../domain/secret.ts';
import { type FaultList, nearestWord, quoteValue } from './config-fault.ts';
import type { Tree, TreeMap } from './yaml-tree.ts';

export type Section = {
  readonly path: string;
  readonly entries: TreeMap;
  readonly context: ReadContext;
};

export type ReadContext = {
  /** The configuration file, absolute. */
  readonly file: string;
  /** The bytes of another file; throws when it cannot be read. */
  readonly readFile: (path: string) => Uint8Array;
  readonly list: FaultList;
  readonly allowPlainHttp: boolean;
};

/** What a parser answers for a text it does not take. `found` defaults to the text itself. */
export class Refusal {
  readonly wanted: string;
  readonly found: string | null;

  constructor(wanted: string, found: string | null = null) {
    this.wanted = wanted;
    this.found = found;
  }
}

export type Parser<T> = (text: string) => T | Refusal;

/** A mapping as a section. Keys beside `known` are faults, each with the nearest known key. */
export function openSection(
  context: ReadContext,
  { path, tree, known }: { path: string; tree: Tree | undefined; known: readonly string[] },
): Section | undefined {
  if (!(tree instanceof Map)) {
    context.list.add(path, tree === undefined ? 'nothing' : kindOf(tree), 'a mapping of keys to values');
    return undefined;
  }
  const entries: TreeMap = tree;
  for (const key of entries.keys()) {
    if (known.includes(key)) continue;
    const nearest = nearestWord(key, known);
    const wanted =
      nearest === null ? `one of ${known.join(', ')}` : `a known key; the nearest is "${nearest}"`;
    context.list.addKey(joinPath(path, key), `the unknown key ${quoteValue(key)}`, wanted);
  }
  return { path, entries, context };
}

/** A required text. */
export function readText<T>(section: Section, key: string, parse: Parser<T>): T | undefined {
  const text = textAt(section, key, wantedBy(parse));
  return text === undefined ? undefined : parseAt(section, key, { text, parse });
}

/** A text that may be absent. */
export function readOptional<T, Absent>(
  section: Section,
  key: string,
  { parse, absent }: { parse: Parser<T>; absent: Absent },
): T | Absent | undefined {
  return section.entries.has(key) ? readText(section, key, parse) : absent;
}

/** A list of texts. Absent is `absent`; undefined makes it required. */
export function readList<T, Absent>(
  section: Section,
  key: string,
  { parse, absent }: { parse: Parser<T>; absent: Absent },
): readonly T[] | Absent | undefined {
  const tree = section.entries.get(key);
  if (tree === undefined && absent !== undefined) return absent;
  const items = listAt(section, key);
  if (items === undefined) return undefined;
  return allRead(items.map((item, index) => readItem(section, `${key}[${index}]`, { item, parse })));
}

/** The items of a required list. */
export function listAt(section: Section, key: string): readonly Tree[] | undefined {
  const tree = section.entries.get(key);
  if (Array.isArray(tree) && tree.length <= MAX_ITEMS) return tree;
  const found = Array.isArray(tree) ? `${tree.length} items` : kindOf(tree);
  return fault(section, key, { found, wanted: Array.isArray(tree) ? `at most ${MAX_ITEMS}` : 'a list' });
}

export function readBoolean<Absent>(
  section: Section,
  key: string,
  absent: Absent,
): boolean | Absent | undefined {
  const tree = section.entries.get(key);
  if (tree === undefined && absent !== undefined) return absent;
  return typeof tree === 'boolean'
    ? tree
    : fault(section, key, { found: kindOf(tree), wanted: 'true or false' });
}

/** A whole number of at least 1. */
export function readCount(
  section: Section,
  key: string,
  { absent, most }: { absent: number; most: number },
): number | undefined {
  const tree = section.entries.get(key) ?? (section.entries.has(key) ? null : absent);
  if (typeof tree === 'number' && Number.isInteger(tree) && tree >= 1 && tree <= most) return tree;
  return fault(section, key, {
    found: typeof tree === 'number' ? String(tree) : kindOf(tree),
    wanted: `a whole number from 1 to ${most}`,
  });
}

/**
 * A secret, given as `<key>` or as the content of the file `<key>_file` without its last line break; never
 * both. What is wrong with it is told without telling it.
 */
export function readSecret(section: Section, key: string, leastLength: number): Secret | undefined {
  const fileKey = `${key}_file`;
  if (section.entries.has(key) && section.entries.has(fileKey))
    return fault(section, fileKey, { found: `${key} as well`, wanted: `either ${key} or ${fileKey}` });
  const fromFile = section.entries.has(fileKey);
  const usedKey = fromFile ? fileKey : key;
  const text = fromFile ? secretFromFile(section, fileKey) : textAt(section, key, `a text, or ${fileKey}`);
  if (text === undefined) return undefined;
  const length = [...text].length;
  if (length < leastLength)
    return fault(section, usedKey, { found: plural(length), wanted: `at least ${plural(leastLength)}` });
  return new Secret(text);
}

/** The absolute path for a text that may be relative to the configuration's folder. */
export function resolvePath(context: ReadContext, text: string): string {
  return resolve(dirname(context.file), text);
}

export function durationText(text: string): number | Refusal {
  try {
    return parseDuration(text);
  } catch {
    return new Refusal('a duration such as 6h, 1h30m, 90s or 30d');
  }
}

/** Everything read, or undefined when a part is missing. Parts that may be absent are null, not undefined. */
export function complete<Parts extends Readonly<Record<string, unknown>>>(
  parts: Parts,
): { readonly [Key in keyof Parts]: Exclude<Parts[Key], undefined> } | undefined {
  if (Object.values(parts).includes(undefined)) return undefined;
  return parts as { readonly [Key in keyof Parts]: Exclude<Parts[Key], undefined> };
}

export function allRead<T>(items: readonly (T | undefined)[]): readonly T[] | undefined {
  const read = items.filter((item) => item !== undefined);
  return read.length === items.length ? read : undefined;
}

export function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** Notes a fault at a key of the section. */
export function fault(
  section: Section,
  key: string,
  { found, wanted }: { found: string; wanted: string },
): undefined {
  section.context.list.add(joinPath(section.path, key), found, wanted);
}

function readItem<T>(
  section: Section,
  key: string,
  { item, parse }: { item: Tree; parse: Parser<T> },
): T | undefined {
  const text = checkedText(section, key, { tree: item, wanted: 'a text' });
  return text === undefined ? undefined : parseAt(section, key, { text, parse });
}

/**
 * What a parser would say that it wants, so that whoever left a key out is told more than that it is a text.
 */
function wantedBy(parse: Parser<unknown>): string {
  const refused = parse('');
  return refused instanceof Refusal ? refused.wanted : 'a text';
}

function parseAt<T>(
  section: Section,
  key: string,
  { text, parse }: { text: string; parse: Parser<T> },
): T | undefined {
  const value = parse(text);
  if (!(value instanceof Refusal)) return value;
  return fault(section, key, { found: value.found ?? quoteValue(text), wanted: value.wanted });
}

function textAt(section: Section, key: string, wanted: string): string | undefined {
  return checkedText(section, key, { tree: section.entries.get(key), wanted });
}

function checkedText(
  section: Section,
  key: string,
  { tree, wanted }: { tree: Tree | undefined; wanted: string },
): string | undefined {
  if (typeof tree !== 'string')
    return fault(section, key, {
      found: kindOf(tree),
      wanted: typeof tree === 'number' ? `${wanted} (in quotes)` : wanted,
    });
  if (tree === '') return fault(section, key, { found: 'an empty text', wanted });
  if (tree.length > MAX_VALUE_LENGTH)
    return fault(section, key, { found: plural(tree.length), wanted: `at most ${plural(MAX_VALUE_LENGTH)}` });
  if (CONTROL.test(tree)) return fault(section, key, { found: 'a control character', wanted });
  return tree;
}

function secretFromFile(section: Section, key: string): string | undefined {
  const name = textAt(section, key, 'the path of a file');
  if (name === undefined) return undefined;
  try {
    const bytes = section.context.readFile(resolvePath(section.context, name));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
    if (!CONTROL.test(text) && text.length <= MAX_VALUE_LENGTH) return text;
    return fault(section, key, {
      found: 'a file with more than one line of text',
      wanted: 'a file with the secret alone',
    });
  } catch {
    return fault(section, key, {
      found: `the file ${quoteValue(name)}, which cannot be read`,
      wanted: 'a readable file with the secret',
    });
  }
}

function kindOf(tree: Tree | undefined): string {
  if (tree === undefined || tree === null) return 'nothing';
  if (typeof tree === 'object') return tree instanceof Map ? 'a mapping' : 'a list';
  return typeof tree === 'string' ? 'a text' : `a ${typeof tree}`;
}

function plural(count: number): string {
  return `${count} ${count === 1 ? 'character' : 'characters'}`;
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
/** Longer than any address or key, and short enough that nothing downstream needs a limit of its own. */
const MAX_VALUE_LENGTH = 4096;
/** More providers, ranges or hosts than this in one list is a file made by mistake. */
const MAX_ITEMS = 1000;
