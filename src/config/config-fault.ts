// Faults of a configuration file: where each is, what was found there and what is wanted (DESIGN 2.1). The
// value of a secret never gets in here: readers of secrets describe what they found in other words.

import { ServiceError } from '../domain/service-error.ts';

export type Position = { readonly line: number; readonly column: number };

export type ConfigFault = Position & {
  /** `oauth.providers[0].issuer`; empty for the file as a whole. */
  readonly path: string;
  readonly found: string;
  readonly wanted: string;
};

/**
 * Faults as they are gathered. A fault at a path that the file does not have stands where its nearest parent
 * does.
 */
export type FaultList = {
  readonly faults: readonly ConfigFault[];
  /** At the value. */
  readonly add: (path: string, found: string, wanted: string) => void;
  /** At the key, which should not be there. */
  readonly addKey: (path: string, found: string, wanted: string) => void;
};

export function createFaultList(locate: (path: string) => Position): FaultList {
  const faults: ConfigFault[] = [];
  return {
    faults,
    add: (path, found, wanted) => faults.push({ path, ...locate(path), found, wanted }),
    addKey: (path, found, wanted) => faults.push({ path, ...locate(keyOf(path)), found, wanted }),
  };
}

/** The name under which the position of a path's key is kept, beside that of its value. */
export function keyOf(path: string): string {
  return `${path}:`;
}

/** The position of a path, or of the nearest parent that has one. */
export function locateIn(positions: ReadonlyMap<string, Position>, path: string): Position {
  for (let known = path; known !== ''; known = parentPath(known)) {
    const position = positions.get(known);
    if (position !== undefined) return position;
  }
  return FIRST;
}

/** A fault as people read it: `doorward.yaml:12:3 oauth.cookie_name: found …; wanted …`. */
export function describeFault(file: string, fault: ConfigFault): string {
  const where = `${file}:${fault.line}:${fault.column}`;
  return `${where} ${fault.path === '' ? '' : `${fault.path}: `}found ${fault.found}; wanted ${fault.wanted}`;
}

/** All faults as one error `config_invalid`; `extra.faults` is the list. */
export function configError(file: string, faults: readonly ConfigFault[]): ServiceError {
  const lines = faults.map((fault) => `\n  ${describeFault(file, fault)}`);
  return new ServiceError('config_invalid', `Cannot read configuration: ${file}${lines.join('')}`, {
    hint: 'Correct these values. doorward config check lists the remaining errors.',
    extra: { faults },
  });
}

/** A value in a message: quoted, and cut where it grows long. */
export function quoteValue(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);
}

/** The word nearest to `text` by edit distance, where it is near enough to be a slip of the hand. */
export function nearestWord(text: string, words: readonly string[]): string | null {
  const limit = Math.max(2, Math.floor(text.length / 3));
  if (text.length > MAX_QUOTED) return null;
  const ranked = words
    .map((word) => ({ word, distance: editDistance(text, word) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= limit ? best.word : null;
}

/** Levenshtein's distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

function parentPath(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['), 0));
}

const FIRST: Position = { line: 1, column: 1 };
/** Enough to recognise a value by. */
const MAX_QUOTED = 60;
