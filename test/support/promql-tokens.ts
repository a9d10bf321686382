// The words of PromQL.

export type Token = {
  readonly kind: 'name' | 'number' | 'duration' | 'string' | 'sign';
  /** Of a string: what it says. */
  readonly text: string;
};

export function tokensOf(query: string): readonly Token[] {
  const tokens: Token[] = [];
  let rest = query;
  for (;;) {
    rest = rest.replace(BLANK, '');
    if (rest === '') return tokens;
    const [text, token] = first(rest);
    tokens.push(token);
    rest = rest.slice(text.length);
  }
}

function first(rest: string): readonly [string, Token] {
  for (const [kind, pattern] of KINDS) {
    const [text] = pattern.exec(rest) ?? [];
    if (text === undefined) continue;
    return [text, { kind, text: kind === 'string' ? unquoted(text) : text }];
  }
  throw new Error(`cannot read ${rest.slice(0, 20)}`);
}

function unquoted(text: string): string {
  return text.startsWith('`') ? text.slice(1, -1) : text.slice(1, -1).replaceAll(/\\(.)/g, '$1');
}

const BLANK = /^(?:\s|#[^\n]*)+/;
const KINDS: readonly (readonly [Token['kind'], RegExp])[] = [
  ['string', /^(?:"(?:[^"\\\n]|\\[\\"nrt])*"|'(?:[^'\\\n]|\\[\\'nrt])*'|`[^`]*`)/],
  ['duration', /^(?:\d+(?:ms|[smhdwy]))+(?![\w.])/],
  ['number', /^(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+|Inf|NaN)(?![\w.])/],
  ['name', /^[a-zA-Z_][\w:]*/],
  ['sign', /^(?:==|!=|<=|>=|=~|!~|[-+*/%^<>=(){}[\],:])/],
];
