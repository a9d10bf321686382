// YAML text to a plain tree with positions. Only what a configuration needs is taken: one document of
// mappings, lists and scalars (YAML 1.2 core schema, so `off` is a text). Anchors, aliases, tags, merge keys,
// directives and keys given twice are faults, so that a file means what it looks like.

import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';
import {
  type ConfigFault,
  createFaultList,
  type FaultList,
  keyOf,
  locateIn,
  type Position,
} from './config-fault.ts';

export type Tree = string | number | boolean | null | readonly Tree[] | TreeMap;
export type TreeMap = ReadonlyMap<string, Tree>;

export type ReadTree = {
  readonly root: Tree;
  /**
   * Where each value stands, by path: `oauth.providers[0].name`. What has parts, or is empty, stands at its
   * key.
   */
  readonly positions: ReadonlyMap<string, Position>;
  readonly faults: readonly ConfigFault[];
};

/** The tree of a text. With faults the tree lacks what was at fault. Never throws. */
export function readTree(text: string, most = MAX_TEXT_LENGTH): ReadTree {
  if (text.length > most)
    return failed({ line: 1, column: 1 }, `${text.length} characters`, `at most ${most} characters`);
  const lines = new LineCounter();
  const document = parseDocument(text, { ...YAML_OPTIONS, lineCounter: lines });
  const place = (offset: number): Position => positionAt(lines, offset);
  const problem = document.errors[0] ?? document.warnings[0];
  // What follows the first error is mostly its echo.
  if (problem !== undefined)
    return failed(place(problem.pos[0]), SYNTAX[problem.code] ?? 'broken YAML', WANTED_YAML);
  if (document.directives.yaml.explicit === true) return failed(place(0), 'a %YAML directive', 'none');
  return walkDocument(document, place);
}

type Walk = {
  readonly positions: Map<string, Position>;
  readonly list: FaultList;
  readonly place: (offset: number) => Position;
};

function walkDocument(document: Document, place: Walk['place']): ReadTree {
  const positions = new Map<string, Position>();
  const list = createFaultList((path) => locateIn(positions, path));
  const root = walk({ positions, list, place }, document.contents, { path: '', depth: 0 });
  return { root, positions, faults: list.faults };
}

function walk(state: Walk, node: unknown, { path, depth }: { path: string; depth: number }): Tree {
  if (node === null) return null;
  if (depth > MAX_DEPTH) return refused(state, path, 'a value nested too deep', 'fewer levels');
  if (isAlias(node)) return refused(state, path, 'an alias', 'the value itself');
  if (!isMap(node) && !isSeq(node) && !isScalar(node)) return refused(state, path, 'no value', 'a value');
  const written = isScalar(node) && node.value !== null;
  if (node.range && (written || !state.positions.has(path)))
    state.positions.set(path, state.place(node.range[0]));
  if (node.anchor !== undefined) return refused(state, path, 'an anchor', 'the value alone');
  if (node.tag !== undefined) return refused(state, path, 'a tag', 'the value alone');
  if (isScalar(node)) return scalarValue(node.value);
  if (isSeq(node))
    return node.items.map((item, index) =>
      walk(state, item, { path: `${path}[${index}]`, depth: depth + 1 }),
    );
  const entries = new Map<string, Tree>();
  for (const { key, value } of node.items) {
    const name = keyName(state, key, path);
    if (name === null) continue;
    const child = path === '' ? name : `${path}.${name}`;
    const twice = entries.has(name);
    if (isScalar(key) && key.range) setKeyPosition(state, child, key.range[0]);
    if (twice) state.list.addKey(child, 'the same key again', 'each key once');
    else entries.set(name, walk(state, value, { path: child, depth: depth + 1 }));
  }
  return entries;
}

function setKeyPosition(state: Walk, path: string, offset: number): void {
  const position = state.place(offset);
  state.positions.set(keyOf(path), position);
  state.positions.set(path, position);
}

/** Null, and a fault, for a key that is no plain text. */
function keyName(state: Walk, key: unknown, path: string): string | null {
  if (isScalar(key) && typeof key.value === 'string' && key.anchor === undefined && key.tag === undefined)
    return key.value;
  refused(state, path, 'a key that is no plain text', 'a key');
  return null;
}

function refused(state: Walk, path: string, found: string, wanted: string): null {
  state.list.add(path, found, wanted);
  return null;
}

function scalarValue(value: unknown): string | number | boolean | null {
  const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return plain ? value : null;
}

function positionAt(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

function failed(position: Position, found: string, wanted: string): ReadTree {
  return { root: null, positions: new Map(), faults: [{ path: '', ...position, found, wanted }] };
}

const YAML_OPTIONS = {
  schema: 'core',
  strict: true,
  // Looked for in `walk`: the library's own search compares each key with each other.
  uniqueKeys: false,
  // Its pretty messages quote the file, which has secrets in it.
  prettyErrors: false,
  // Not silent: that lets a second document pass unseen. Nothing is printed at this level.
  logLevel: 'error',
} as const;

const WANTED_YAML = 'YAML';
const SYNTAX: Readonly<Record<string, string>> = {
  BAD_INDENT: 'a line with inconsistent indentation',
  BAD_SCALAR_START: 'an unquoted text that starts with a reserved character',
  BLOCK_IN_FLOW: 'indented lines within brackets',
  MISSING_CHAR: 'a missing bracket, comma, colon or quote',
  MULTIPLE_DOCS: 'a second document',
  TAB_AS_INDENT: 'a tab as indentation',
  TAG_RESOLVE_FAILED: 'an unknown tag',
  UNEXPECTED_TOKEN: 'something after the end of a value (a text with brackets or a colon needs quotes)',
};

/** Thousands of lines: far beyond any configuration, and little enough to parse in a moment. */
const MAX_TEXT_LENGTH = 256 * 1024;
/** The deepest value of a configuration, `oauth.providers[0].scopes[0]`, stands at five. */
const MAX_DEPTH = 8;
