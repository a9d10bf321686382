// Runs an email glob over a text, a bit for each position of the pattern: all positions that may match the
// rest go on at once, 32 in one operation. What it takes grows with the text and with the words that the
// pattern fills, whatever is in either. Choices are written out, one way after the other.

import { type CharacterSet, type GlobText, isCharacter, sizeOf } from './email-pattern-syntax.ts';

export type GlobMachine = {
  /** Of 32 positions. */
  readonly words: number;
  /** Positions where a way begins, where a run stands before, and where a way has been read to its end. */
  readonly begin: Int32Array;
  readonly stay: Int32Array;
  readonly end: Int32Array;
  /**
   * `words` for each row: the positions that read it. A row is an ASCII code, any other character, or one
   * that is named.
   */
  readonly reads: Int32Array;
  /** Rows of the characters beyond ASCII that the pattern names, by code point. */
  readonly named: ReadonlyMap<number, number>;
};

export function createGlobMachine(glob: GlobText): GlobMachine {
  const { ways, characters } = sizeOf(glob);
  const words = Math.ceil((ways + characters) / WORD);
  const named = namedRows(glob);
  const machine = {
    words,
    begin: new Int32Array(words),
    stay: new Int32Array(words),
    end: new Int32Array(words),
    reads: new Int32Array((OTHER + 1 + named.size) * words),
    named,
  };
  let position = 0;
  for (const way of writtenOut(glob)) {
    mark(machine.begin, position);
    for (const part of way)
      if (part === 'run') mark(machine.stay, position);
      else markReads(machine, part, position++);
    // Nothing is read at the end, so no way runs into the next.
    mark(machine.end, position++);
  }
  return machine;
}

/** Whether the whole of an address matches, in the form that `parseEmailAddress` gives it. */
export function runGlobMachine(machine: GlobMachine, text: string): boolean {
  const { words, begin, stay, end, reads, named } = machine;
  const active = Int32Array.from(begin);
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) at++;
    const from = (code < OTHER ? code : (named.get(code) ?? OTHER)) * words;
    let carried = 0;
    let any = 0;
    for (let word = 0; word < words; word++) {
      const now = active[word] ?? 0;
      const read = now & (reads[from + word] ?? 0);
      const next = (read << 1) | carried | (now & (stay[word] ?? 0));
      carried = read >>> (WORD - 1);
      active[word] = next;
      any |= next;
    }
    if (any === 0) return false;
  }
  return active.some((word, index) => (word & (end[index] ?? 0)) !== 0);
}

export type Way = readonly (CharacterSet | 'run')[];

/** Each way through the choices. `email-pattern-syntax.ts` bounds how many there are. */
export function writtenOut(glob: GlobText): readonly Way[] {
  let ways: (CharacterSet | 'run')[][] = [[]];
  for (const part of glob)
    if (part === 'run' || isCharacter(part)) for (const way of ways) way.push(part);
    else {
      const endings = part.ways.flatMap(writtenOut);
      ways = ways.flatMap((way) => endings.map((ending) => way.concat(ending)));
    }
  return ways;
}

function markReads({ reads, words, named }: GlobMachine, set: CharacterSet, position: number): void {
  const word = Math.floor(position / WORD);
  const bit = 1 << (position % WORD);
  const read = (row: number) => (reads[row * words + word] = (reads[row * words + word] ?? 0) | bit);
  for (const code of set.codes) read(code < OTHER ? code : (named.get(code) ?? OTHER));
  if (set.except === null) return;
  read(OTHER);
  for (const [code, row] of named) if (!set.except.includes(code)) read(row);
}

function namedRows(glob: GlobText): ReadonlyMap<number, number> {
  const codes = new Set(beyondAscii(glob));
  return new Map([...codes].map((code, index) => [code, OTHER + 1 + index]));
}

function beyondAscii(glob: GlobText): readonly number[] {
  return glob.flatMap((part) => {
    if (part === 'run') return [];
    if (!isCharacter(part)) return part.ways.flatMap(beyondAscii);
    return [...part.codes, ...(part.except ?? [])].filter((code) => code >= OTHER);
  });
}

function mark(bits: Int32Array, position: number): void {
  const word = Math.floor(position / WORD);
  bits[word] = (bits[word] ?? 0) | (1 << (position % WORD));
}

const WORD = 32;
/** The row of whatever is beyond ASCII, after a row for each of its codes. */
const OTHER = 128;
