// The syntax of email globs, and the small machine each one becomes. Who may come in hangs on these texts, so a
// pattern that could match no address, or not what its writer meant, is refused when it is written.
//
//   pattern = { "*" | "?" | class | choice | "\" any | literal }
//   class   = "[" [ "!" | "^" ] item { item } "]"      item = character [ "-" character ]; a first "]" is itself
//   choice  = "{" pattern { "," pattern } "}"          choices may hold choices, four deep

import { ServiceError } from './service-error.ts';

/**
 * One instruction. `one` reads a character that its set holds (128 flags by ASCII code, both cases of a letter alike)
 * and goes on with the next instruction; `split` and `jump` go on without reading.
 */
export type Instruction =
  | { readonly op: 'one'; readonly set: Uint8Array }
  | { readonly op: 'split'; readonly to: readonly number[] }
  | { readonly op: 'jump'; readonly to: number }
  | { readonly op: 'match' };

/** The program of a pattern. Throws `validation_failed`, saying what is wrong and where. */
export function compileEmailGlob(text: string): readonly Instruction[] {
  if (text === '') throw refusal(text, 'it is empty');
  if (text.length > MAX_PATTERN_LENGTH)
    throw refusal(text, `it is longer than ${MAX_PATTERN_LENGTH} characters`);
  const parser: Parser = { text, at: 0, depth: 0, program: [] };
  parseSequence(parser);
  parser.program.push({ op: 'match' });
  return parser.program;
}

type Parser = { readonly text: string; at: number; depth: number; readonly program: Instruction[] };

function parseSequence(parser: Parser): void {
  for (; parser.at < parser.text.length; parser.at++) {
    const character = parser.text.charAt(parser.at);
    if (parser.depth > 0 && (character === ',' || character === '}')) return;
    if (character === '*') pushRun(parser);
    else if (character === '?') parser.program.push({ op: 'one', set: ANY });
    else if (character === '[') parser.program.push({ op: 'one', set: parseClass(parser) });
    else if (character === '{') parseChoice(parser);
    else if (character === ']' || character === '}')
      throw refusal(parser.text, `"${character}" closes nothing at character ${parser.at + 1}`);
    else if (character === ',')
      throw refusal(parser.text, 'no address has a comma; give two patterns instead');
    else parser.program.push({ op: 'one', set: foldedSet([readLiteral(parser)]) });
  }
}

/** `*`: any run of characters, the empty one too. */
function pushRun(parser: Parser): void {
  const start = parser.program.length;
  parser.program.push(
    { op: 'split', to: [start + 1, start + 3] },
    { op: 'one', set: ANY },
    { op: 'jump', to: start },
  );
}

/** `{a,b}`: a split to each alternative, and a jump from the end of each to the end of all. */
function parseChoice(parser: Parser): void {
  const opened = parser.at;
  if (++parser.depth > MAX_DEPTH)
    throw refusal(parser.text, `more than ${MAX_DEPTH} braces lie within each other`);
  const split = parser.program.length;
  const starts: number[] = [];
  const jumps: number[] = [];
  parser.program.push({ op: 'match' });
  do {
    parser.at++;
    starts.push(parser.program.length);
    parseSequence(parser);
    jumps.push(parser.program.length);
    parser.program.push({ op: 'match' });
  } while (parser.text.charAt(parser.at) === ',');
  if (parser.text.charAt(parser.at) !== '}')
    throw refusal(parser.text, `"{" at character ${opened + 1} is not closed`);
  parser.depth--;
  parser.program[split] = { op: 'split', to: starts };
  for (const jump of jumps) parser.program[jump] = { op: 'jump', to: parser.program.length };
}

/** `[a-z]`, `[!0-9]`. Leaves the parser on the closing bracket. */
function parseClass(parser: Parser): Uint8Array {
  const opened = parser.at++;
  const negated = '!^'.includes(parser.text.charAt(parser.at)) && parser.at < parser.text.length;
  if (negated) parser.at++;
  const codes: number[] = [];
  for (let first = true; first || parser.text.charAt(parser.at) !== ']'; first = false) {
    if (parser.at >= parser.text.length)
      throw refusal(parser.text, `"[" at character ${opened + 1} is not closed`);
    codes.push(...parseClassItem(parser));
  }
  const set = foldedSet(codes);
  return negated ? set.map((flag) => 1 - flag) : set;
}

function parseClassItem(parser: Parser): readonly number[] {
  const from = readLiteral(parser);
  parser.at++;
  const dash = parser.text.charAt(parser.at) === '-';
  if (!dash || parser.text.charAt(parser.at + 1) === ']' || parser.at + 1 >= parser.text.length)
    return [from];
  parser.at++;
  const to = readLiteral(parser);
  parser.at++;
  if (to < from) throw refusal(parser.text, `a range runs backwards before character ${parser.at + 1}`);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** The code of the character here, or of the one after a backslash. Leaves the parser on the last one read. */
function readLiteral(parser: Parser): number {
  if (parser.text.charAt(parser.at) === '\\') {
    parser.at++;
    if (parser.at >= parser.text.length) throw refusal(parser.text, 'it ends in a lone "\\"');
  }
  const code = parser.text.charCodeAt(parser.at);
  if (code <= 0x20 || code >= 0x7f)
    throw refusal(
      parser.text,
      `no address has what stands at character ${parser.at + 1}; addresses are ASCII without spaces`,
    );
  return code;
}

function foldedSet(codes: readonly number[]): Uint8Array {
  const set = new Uint8Array(ASCII);
  for (const code of codes) {
    const character = String.fromCharCode(code);
    set[character.toLowerCase().charCodeAt(0)] = 1;
    set[character.toUpperCase().charCodeAt(0)] = 1;
  }
  return set;
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
const ANY = new Uint8Array(ASCII).fill(1);
/** An address has at most 254 characters, so a longer pattern is a list in disguise; it also bounds each match. */
const MAX_PATTERN_LENGTH = 256;
/** Nobody reads deeper nesting, and the parser calls itself once a level. */
const MAX_DEPTH = 4;
