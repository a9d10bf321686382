// The syntax of email globs. Who may come in hangs on these texts, so a pattern that could match no address,
// or not what its writer meant, is refused when it is written. `email-glob-machine.ts` runs them.
//
//   pattern = { "*" | "?" | class | choice | "\" any | literal }
//   class   = "[" [ "!" | "^" ] item { item } "]"      item = character [ "-" character ]; a first "]" is itself
//   choice  = "{" pattern { "," pattern } "}"          choices may hold choices, four deep

import { internationalPattern } from './international-pattern.ts';
import { ServiceError } from './service-error.ts';

/** A choice may be made in each of its ways. */
export type GlobPart = CharacterSet | 'run' | GlobChoice;
export type GlobChoice = { readonly ways: readonly GlobText[] };
export type GlobText = readonly GlobPart[];

/**
 * One character, both cases of a letter alike: those of `codes`, and those beyond ASCII but the ones in
 * `except`.
 */
export type CharacterSet = {
  readonly codes: readonly number[];
  /** Null when none beyond ASCII is meant but those in `codes`. */
  readonly except: readonly number[] | null;
};

/**
 * How many texts without a choice it stands for, and how many characters these have together; each `*` counts
 * as none.
 */
export type GlobSize = { readonly ways: number; readonly characters: number };

/**
 * The parts of a pattern that is being written. Throws `validation_failed`, saying what is wrong and where;
 * also for more than `MAX_RUNS` runs, since no address is described that way.
 */
export function parseNewEmailGlob(text: string): GlobText {
  const { parts, runs } = parse(text);
  const tooMany = runs[MAX_RUNS];
  if (tooMany !== undefined)
    throw refusal(text, `more than ${MAX_RUNS} "*"; the one at character ${tooMany + 1} is too many`);
  return parts;
}

/** As `parseNewEmailGlob`, for one that was written before there was a limit on runs: they cost nothing. */
export function parseEmailGlob(text: string): GlobText {
  return parse(text).parts;
}

export function sizeOf(text: GlobText): GlobSize {
  let size: GlobSize = { ways: 1, characters: 0 };
  for (const part of text) size = sizeWith(size, part);
  return size;
}

function sizeWith({ ways, characters }: GlobSize, part: GlobPart): GlobSize {
  if (part === 'run') return { ways, characters };
  if (isCharacter(part)) return { ways, characters: characters + ways };
  const sizes = part.ways.map(sizeOf);
  const choice = sizes.reduce((sum, size) => ({
    ways: sum.ways + size.ways,
    characters: sum.characters + size.characters,
  }));
  return { ways: ways * choice.ways, characters: characters * choice.ways + ways * choice.characters };
}

export function isCharacter(part: GlobPart): part is CharacterSet {
  return part !== 'run' && 'codes' in part;
}

type Parsed = { readonly parts: GlobText; readonly runs: readonly number[] };

function parse(text: string): Parsed {
  if (text === '') throw refusal(text, 'it is empty');
  if (text.length > MAX_PATTERN_LENGTH)
    throw refusal(text, `it is longer than ${MAX_PATTERN_LENGTH} characters`);
  const written = internationalPattern(text);
  if ('fault' in written) throw refusal(text, written.fault);
  const parser: Parser = { text, all: [...written.text], at: 0, depth: 0, runs: [] };
  return { parts: parseSequence(parser), runs: parser.runs };
}

/** `all`: the characters of `text`, in the form that addresses have. */
type Parser = {
  readonly text: string;
  readonly all: readonly string[];
  at: number;
  depth: number;
  readonly runs: number[];
};

function parseSequence(parser: Parser): GlobText {
  const parts: GlobPart[] = [];
  let size: GlobSize = { ways: 1, characters: 0 };
  for (; parser.at < parser.all.length; parser.at++) {
    const character = parser.all[parser.at] ?? '';
    if (parser.depth > 0 && (character === ',' || character === '}')) return parts;
    const begins = parser.at;
    const part = parsePart(parser, character);
    size = sizeWith(size, part);
    if (size.ways + size.characters > MAX_POSITIONS)
      throw refusal(
        parser.text,
        `its choices make too many addresses; the one at character ${begins + 1} is too much. Give several patterns instead`,
      );
    // `**` is `*`.
    if (part !== 'run' || parts.at(-1) !== 'run') parts.push(part);
  }
  return parts;
}

function parsePart(parser: Parser, character: string): GlobPart {
  if (character === '*') {
    parser.runs.push(parser.at);
    return 'run';
  }
  if (character === '?') return ANY;
  if (character === '[') return parseClass(parser);
  if (character === '{') return parseChoice(parser);
  if (character === ']' || character === '}')
    throw refusal(parser.text, `"${character}" closes nothing at character ${parser.at + 1}`);
  if (character === ',') throw refusal(parser.text, 'no address has a comma; give two patterns instead');
  return { codes: foldedCodes(readLiteral(parser)), except: null };
}

/** `{a,b}`. Leaves the parser on the closing brace. */
function parseChoice(parser: Parser): GlobPart {
  const opened = parser.at;
  if (++parser.depth > MAX_DEPTH)
    throw refusal(parser.text, `more than ${MAX_DEPTH} braces lie within each other`);
  const ways: GlobText[] = [];
  do {
    parser.at++;
    ways.push(parseSequence(parser));
  } while ((parser.all[parser.at] ?? '') === ',');
  if ((parser.all[parser.at] ?? '') !== '}')
    throw refusal(parser.text, `"{" at character ${opened + 1} is not closed`);
  parser.depth--;
  return { ways };
}

/** `[a-z]`, `[!0-9]`. Leaves the parser on the closing bracket. */
function parseClass(parser: Parser): CharacterSet {
  const opened = parser.at++;
  const negated = '!^'.includes(parser.all[parser.at] ?? '') && parser.at < parser.all.length;
  if (negated) parser.at++;
  const codes: number[] = [];
  for (let first = true; first || (parser.all[parser.at] ?? '') !== ']'; first = false) {
    if (parser.at >= parser.all.length)
      throw refusal(parser.text, `"[" at character ${opened + 1} is not closed`);
    codes.push(...parseClassItem(parser));
  }
  const set = new Set(codes.flatMap(foldedCodes));
  if (!negated) return { codes: [...set], except: null };
  return {
    codes: ANY.codes.filter((code) => !set.has(code)),
    except: [...set].filter((code) => code >= ASCII),
  };
}

function parseClassItem(parser: Parser): readonly number[] {
  const from = readLiteral(parser);
  parser.at++;
  const dash = (parser.all[parser.at] ?? '') === '-';
  if (!dash || (parser.all[parser.at + 1] ?? '') === ']' || parser.at + 1 >= parser.all.length) return [from];
  parser.at++;
  const to = readLiteral(parser);
  parser.at++;
  if (to >= ASCII) throw refusal(parser.text, 'a range is of ASCII characters; name the others one by one');
  if (to < from) throw refusal(parser.text, `a range runs backwards before character ${parser.at + 1}`);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/**
 * The code of the character here, or of the one after a backslash. Leaves the parser on the last one read.
 */
function readLiteral(parser: Parser): number {
  if ((parser.all[parser.at] ?? '') === '\\') {
    parser.at++;
    if (parser.at >= parser.all.length) throw refusal(parser.text, 'it ends in a lone "\\"');
  }
  const code = parser.all[parser.at]?.codePointAt(0) ?? 0;
  if (code <= 0x20 || code === 0x7f)
    throw refusal(
      parser.text,
      `no address has what stands at character ${parser.at + 1}; addresses have no spaces`,
    );
  return code;
}

/** Beyond ASCII all is in lower case already. */
function foldedCodes(code: number): readonly number[] {
  if (code >= ASCII) return [code];
  const character = String.fromCharCode(code);
  const folded = [character.toLowerCase(), character.toUpperCase()].map((each) => each.charCodeAt(0));
  return [...new Set(folded)];
}

function refusal(text: string, found: string): ServiceError {
  return new ServiceError(
    'validation_failed',
    `Cannot parse email pattern: "${text.slice(0, MAX_PATTERN_LENGTH)}": ${found}`,
    {
      hint: 'Write a glob for the whole address, such as *@example.com or {ann,bob}@*.',
    },
  );
}

const ASCII = 128;
const ANY: CharacterSet = { codes: Array.from({ length: ASCII }, (_, code) => code), except: [] };
/** An address has at most 254 characters, so a longer pattern is a list in disguise. */
const MAX_PATTERN_LENGTH = 256;
/** Nobody needs more to describe addresses. */
const MAX_RUNS = 16;
/**
 * Of all ways through the choices together: it bounds what a pattern keeps in memory, and the time of each
 * match.
 */
export const MAX_POSITIONS = 1024;
/** Nobody reads deeper nesting, and the parser calls itself once a level. */
const MAX_DEPTH = 4;
