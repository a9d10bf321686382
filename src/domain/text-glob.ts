// Globs over names (DESIGN 2.4, 2.6): `*` any run, `?` one character, `\` takes the next one as it is. They speak of the
// whole text, letter by letter. Matching takes time of glob times text at most.

import { ServiceError } from './service-error.ts';

/** A compiled glob. */
export type TextGlob = { readonly text: string; readonly matches: (value: string) => boolean };

/** Throws `validation_failed` for a glob that is empty, over 256 characters, or ends in a lone `\`. */
export function compileTextGlob(text: string): TextGlob {
  if (text === '' || text.length > MAX_LENGTH)
    throw refusal(text, `it has ${text.length} characters and not 1 to ${MAX_LENGTH}`);
  const tokens: Token[] = [];
  let literal = false;
  for (const character of text) {
    if (literal) tokens.push({ character });
    else if (character === '*') tokens.push('run');
    else if (character === '?') tokens.push('one');
    else if (character !== '\\') tokens.push({ character });
    literal = !literal && character === '\\';
  }
  if (literal) throw refusal(text, 'it ends in a lone "\\"');
  return { text, matches: (value) => matches(tokens, Array.from(value)) };
}

type Token = 'run' | 'one' | { readonly character: string };

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
