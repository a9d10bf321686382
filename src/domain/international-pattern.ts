// Email globs beyond ASCII, in the form that addresses have: domains as ASCII (IDNA), label by label, the
// rest in NFC and lower case. A label of a domain has another text in ASCII, so a `*` or `?` beside its
// letters would mean nothing.

import { asciiDomain, hasBeyondAscii, internationalText } from './international-address.ts';

export type InternationalPattern = { readonly text: string } | { readonly fault: string };

export function internationalPattern(text: string): InternationalPattern {
  if (!hasBeyondAscii(text)) return { text };
  const whole = internationalText(text);
  if (whole === null)
    return { fault: 'it has a character that is in no address: beyond ASCII, letters, marks and digits are' };
  const tokens = whole.match(TOKEN) ?? [];
  const braces: Brace[] = [];
  let inDomain = false;
  let written = '';
  for (const [index, token] of tokens.entries()) {
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    if (token === '@') inDomain = true;
    else if (token === '{') braces.push({ inDomain, begins: isEdge(before), changed: false });
    else if (token === ',') inDomain = braces.at(-1)?.inDomain ?? inDomain;
    else if (token === '}') {
      if (braces.pop()?.changed === true && !isEdge(after)) return PART_OF_LABEL;
    } else if (inDomain && hasBeyondAscii(token)) {
      const label = GLOB.test(token) || !isEdge(before) || !isEdge(after) ? null : asciiDomain(token);
      if (label === null || braces.some(({ begins }) => !begins)) return PART_OF_LABEL;
      for (const brace of braces) brace.changed = true;
      written += label;
      continue;
    }
    written += token;
  }
  return { text: written };
}

type Brace = { readonly inDomain: boolean; readonly begins: boolean; changed: boolean };

/**
 * Where a label may begin or end. What a brace holds is joined to what stands beside it, which is looked at
 * there.
 */
function isEdge(token: string | undefined): boolean {
  return token === undefined || EDGES.has(token);
}

const TOKEN = /\\.|[@.,{}]|[^\\@.,{}]+|\\/gsu;
const GLOB = /[*?[\]]/;
const EDGES: ReadonlySet<string> = new Set(['@', '.', ',', '{', '}']);
const PART_OF_LABEL: InternationalPattern = {
  fault:
    'letters beyond ASCII in a domain need whole labels, without * ? [ or \\ beside them: *@bücher.example, *@*.bücher.example',
};
