// Email globs (contract 2.3, 5.1 point 7; DESIGN 3, "Email globs"): `*` any run, `?` one character, `[…]`, `{a,b}`, `\`.
// A pattern speaks of the whole address and both cases alike. Matching follows all alternatives at once, so its time
// grows with pattern times address and never faster. The syntax itself is in `email-pattern-syntax.ts`.

import { parseEmailAddress } from './email-address.ts';
import { compileEmailGlob, type Instruction } from './email-pattern-syntax.ts';

/** A compiled glob. */
export type EmailPattern = {
  readonly text: string;
  /** Whether the whole of a usable address matches. False for anything `parseEmailAddress` refuses, two `@` among it. */
  readonly matches: (email: string) => boolean;
};

/** Throws `validation_failed` for a malformed pattern: unclosed `[` or `{`, a lone `\`, over 256 characters. */
export function compileEmailPattern(text: string): EmailPattern {
  const program = compileEmailGlob(text);
  return {
    text,
    matches: (email) => parseEmailAddress(email) !== null && runProgram(program, email).matched,
  };
}

/**
 * True when no pattern is given, or any one of them matches the whole address. A malformed pattern matches nothing,
 * but it still is one: the others alone decide.
 */
export function matchesAnyPattern(patterns: readonly string[], email: string): boolean {
  return patterns.length === 0 || matchingPattern(patterns, email) !== null;
}

/** The first pattern that matches the whole address; null when none does. */
export function matchingPattern(patterns: readonly string[], email: string): string | null {
  return patterns.find((text) => cachedPattern(text)?.matches(email) === true) ?? null;
}

/** Runs a program over a text. `steps` counts visited instructions: at most program length × (text length + 1). */
export function runProgram(
  program: readonly Instruction[],
  text: string,
): { readonly matched: boolean; readonly steps: number } {
  const seenAt = new Int16Array(program.length).fill(-1);
  let steps = 0;
  let waiting = [0];
  for (let at = 0; ; at++) {
    const next: number[] = [];
    let matched = false;
    // `waiting` grows while it is walked: what is reached without reading joins its end, once a position at most.
    for (let index = 0; index < waiting.length; index++) {
      const pc = waiting[index] ?? 0;
      const instruction = program[pc];
      if (instruction === undefined || seenAt[pc] === at) continue;
      seenAt[pc] = at;
      steps++;
      if (instruction.op === 'match') matched = true;
      else if (instruction.op === 'jump') waiting.push(instruction.to);
      else if (instruction.op === 'split') waiting.push(...instruction.to);
      else if (instruction.set[text.charCodeAt(at)] === 1) next.push(pc + 1);
    }
    if (at === text.length) return { matched, steps };
    if (next.length === 0) return { matched: false, steps };
    waiting = next;
  }
}

/** Null for a malformed pattern: it was refused when it was written, so here it lets nobody in. */
function cachedPattern(text: string): EmailPattern | null {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const pattern = compileOrNull(text);
  if (compiled.size >= MAX_COMPILED) compiled.delete(compiled.keys().next().value ?? text);
  compiled.set(text, pattern);
  return pattern;
}

function compileOrNull(text: string): EmailPattern | null {
  try {
    return compileEmailPattern(text);
  } catch {
    return null;
  }
}

/** Compiled patterns by text, the oldest first. */
const compiled = new Map<string, EmailPattern | null>();
/** Enough for the shares in use; a pattern takes some kilobytes at most, and compiling one again some microseconds. */
const MAX_COMPILED = 4096;
