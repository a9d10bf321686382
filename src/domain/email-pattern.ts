// Email globs (contract 2.3, 5.1 point 7): `*` any run, `?` one character, `[…]`, `{a,b}`, `\`. A pattern
// speaks of the whole address and both cases alike. The syntax is in `email-pattern-syntax.ts`, the matching
// in `email-glob-machine.ts`.

import { parseEmailAddress } from './email-address.ts';
import { createGlobMachine, type GlobMachine, runGlobMachine } from './email-glob-machine.ts';
import { parseEmailGlob, parseNewEmailGlob } from './email-pattern-syntax.ts';

/** A compiled glob. */
export type EmailPattern = {
  readonly text: string;
  /**
   * Whether the whole of a usable address matches. False for anything `parseEmailAddress` refuses, two `@`
   * among it.
   */
  readonly matches: (email: string) => boolean;
};

/**
 * A pattern that is being written. Throws `validation_failed` for a malformed one: unclosed `[` or `{`, a
 * lone `\`, over 256 characters, too many `*` or choices.
 */
export function compileEmailPattern(text: string): EmailPattern {
  const machine = createGlobMachine(parseNewEmailGlob(text));
  return {
    text,
    matches: (email) => {
      const address = parseEmailAddress(email);
      return address !== null && runGlobMachine(machine, address);
    },
  };
}

/**
 * True when no pattern is given, or any one of them matches the whole address. A malformed pattern matches
 * nothing, but it still is one: the others alone decide.
 */
export function matchesAnyPattern(patterns: readonly string[], email: string): boolean {
  return patterns.length === 0 || matchingPattern(patterns, email) !== null;
}

/** The first pattern that matches the whole address; null when none does. */
export function matchingPattern(patterns: readonly string[], email: string): string | null {
  const address = patterns.length === 0 ? null : parseEmailAddress(email);
  if (address === null) return null;
  return (
    patterns.find((text) => {
      const machine = cachedMachine(text);
      return machine !== null && runGlobMachine(machine, address);
    }) ?? null
  );
}

/** Null for a pattern that would be refused today but for its `*`: here it lets nobody in. */
function cachedMachine(text: string): GlobMachine | null {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const machine = machineOrNull(text);
  keptWords += wordsOf(machine);
  for (const [eldest, each] of compiled) {
    if (keptWords <= MOST_KEPT_WORDS) break;
    compiled.delete(eldest);
    keptWords -= wordsOf(each);
  }
  compiled.set(text, machine);
  return machine;
}

function machineOrNull(text: string): GlobMachine | null {
  try {
    return createGlobMachine(parseEmailGlob(text));
  } catch {
    return null;
  }
}

function wordsOf(machine: GlobMachine | null): number {
  return machine?.words ?? 1;
}

/** Compiled patterns by text, the oldest first. */
const compiled = new Map<string, GlobMachine | null>();
let keptWords = 0;
/**
 * Half a kilobyte each: of most patterns one holds all. Enough for the shares in use; compiling again takes
 * microseconds.
 */
const MOST_KEPT_WORDS = 20_000;
