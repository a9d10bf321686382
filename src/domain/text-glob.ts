// Globs over names (DESIGN 2.4, 2.6): `*` any run, `?` one character, `\` takes the next one as it is. They
// speak of the whole text, letter by letter. Matching takes time of glob times text at most.

import { ServiceError } from './service-error.ts';

/** A compiled glob. */
export type TextGlob = { readonly text: string; readonly matches: (value: string) => boolean };

/**
 * A glob that is being written. Throws what `compileTextGlob` throws, and `validation_failed` for too many
 * `*`.
 */
export function requireTextGlob(text: string): void {
  const { runs } = parse(text);
  const tooMany = runs[MAX_RUNS];
  if (tooMany !== undefined)
    throw refusal(text, `more than ${MAX_RUNS} "*"; the one at character ${tooMany + 1} is too many`);
}

/** Throws `validation_failed` for a glob that is empty, over 256 characters, or ends in a lone `\`. */
export function compileTextGlob(text: string): TextGlob {
  const { tokens, runs } = parse(text);
  // None that is longer than the text without its runs can match: names are short, so a long glob costs
  // nothing.
  const least = tokens.length - runs.length;
  return {
    text,
    matches: (value) => {
      const characters = Array.from(value);
      return characters.length >= least && matches(tokens, characters);
    },
  };
}

type Token = 'run' | 'one' | { readonly character: string };
/** `runs`: where each run stands in the text. */
type Parsed = { readonly tokens: readonly Token[]; readonly runs: readonly number[] };

function parse(text: string): Parsed {
  if (text === '' || text.length > MAX_LENGTH)
    throw refusal(text, `it has ${text.length} characters and not 1 to ${MAX_LENGTH}`);
  const tokens: Token[] = [];
  const runs: number[] = [];
  let at = 0;
  let literal = false;
  for (const character of text) {
    if (literal) tokens.push({ character });
    else if (character === '*') {
      tokens.push('run');
      runs.push(at);
    } else if (character === '?') tokens.push('one');
    else if (character !== '\\') tokens.push({ character });
    literal = !literal && character === '\\';
    at += character.length;
  }
  if (literal) throw refusal(text, 'it ends in a lone "\\"');
  return { tokens, runs };
}

/** Goes back to the last run alone: what an earlier one took more would only leave less for this one. */
function matches(tokens: readonly Token[], characters: readonly string[]): boolean {
  let at = 0;
  let token = 0;
  let runToken = -1;
  let runAt = 0;
  while (at < characters.length) {
    const wanted = tokens[token];
    if (wanted === 'run') {
      runToken = token++;
      runAt = at;
    } else if (wanted === 'one' || wanted?.character === characters[at]) {
      token++;
      at++;
    } else if (runToken >= 0) {
      token = runToken + 1;
      at = ++runAt;
    } else return false;
  }
  while (tokens[token] === 'run') token++;
  return token === tokens.length;
}

function refusal(text: string, found: string): ServiceError {
  return new ServiceError(
    'validation_failed',
    `Cannot parse pattern: "${text.slice(0, MAX_LENGTH)}": ${found}`,
    {
      hint: 'Write a glob for the whole name, such as *.billing or partner-?.',
    },
  );
}

/** Names have at most 64 characters. */
const MAX_LENGTH = 256;
/** Nobody needs more to describe names. */
const MAX_RUNS = 16;
