// Reads PromQL as Prometheus does (prometheus.io/docs/prometheus/latest/querying): precedence, types of
// functions, ranges, matching. Throws for what Prometheus would not take, and for functions that it does not
// know, and says which metrics and labels an expression names.

import { type Token, tokensOf } from './promql-tokens.ts';

export type Query = {
  readonly type: ValueType;
  readonly selectors: readonly Selector[];
  /** Labels of `by`, `without`, `on`, `ignoring` and `group_left`. */
  readonly grouped: readonly { readonly label: string; readonly over: readonly Selector[] }[];
};

export type Selector = {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
};

type ValueType = 'scalar' | 'vector' | 'matrix' | 'string';

export function readQuery(text: string): Query {
  const reader = new Reader(tokensOf(text));
  const query = reader.expression(0);
  reader.end();
  if (query.type === 'matrix') throw new Error('the result is a range');
  return query;
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw new Error(`unexpected ${this.#peek()}`);
  }

  expression(least: number): Query {
    let left = this.#unary();
    for (;;) {
      const operator = this.#peek();
      const level = LEVELS.findIndex((operators) => operators.includes(operator));
      if (level < 0 || level < least) return left;
      this.#at++;
      left = this.#binary(operator, level, left);
    }
  }

  #binary(operator: string, level: number, left: Query): Query {
    const isBool = this.#take('bool');
    const labels = this.#matching();
    // `^` alone binds to the right.
    const right = this.expression(operator === '^' ? level : level + 1);
    for (const { type } of [left, right])
      if (type !== 'vector' && type !== 'scalar') throw new Error(`${operator} of a ${type}`);
    const scalars = left.type === 'scalar' && right.type === 'scalar';
    if (level < 2 && (left.type === 'scalar' || right.type === 'scalar'))
      throw new Error(`${operator} of a scalar`);
    if (isBool !== (isBool && level === 2)) throw new Error(`bool after ${operator}`);
    if (level === 2 && scalars && !isBool) throw new Error(`${operator} of scalars without bool`);
    const both = together([left, right], scalars ? 'scalar' : 'vector');
    return {
      ...both,
      grouped: [...both.grouped, ...labels.map((label) => ({ label, over: both.selectors }))],
    };
  }

  #matching(): readonly string[] {
    const labels: string[] = [];
    if (this.#take('on') || this.#take('ignoring')) {
      labels.push(...this.#labels());
      if ((this.#take('group_left') || this.#take('group_right')) && this.#peek() === '(')
        labels.push(...this.#labels());
    }
    return labels;
  }

  #unary(): Query {
    if (!this.#take('-') && !this.#take('+')) return this.#ranged();
    // Below `^`, which binds more.
    const query = this.expression(LEVELS.length - 1);
    if (query.type !== 'vector' && query.type !== 'scalar') throw new Error(`a sign before a ${query.type}`);
    return query;
  }

  #ranged(): Query {
    let query = this.#primary();
    if (this.#take('[')) {
      if (query.type !== 'vector') throw new Error(`a range of a ${query.type}`);
      this.#duration();
      const isSubquery = this.#take(':');
      if (isSubquery && this.#peek() !== ']') this.#duration();
      if (!isSubquery && !this.#afterSelector) throw new Error('a range of no selector');
      this.#expect(']');
      query = { ...query, type: 'matrix' };
    }
    if (this.#take('offset')) {
      this.#take('-');
      this.#duration();
    }
    return query;
  }

  #afterSelector = false;

  #primary(): Query {
    const token = this.#next();
    this.#afterSelector = false;
    if (token.kind === 'number') return { type: 'scalar', selectors: [], grouped: [] };
    if (token.kind === 'string') return { type: 'string', selectors: [], grouped: [] };
    if (token.text === '(') {
      const query = this.expression(0);
      this.#expect(')');
      this.#afterSelector = false;
      return query;
    }
    if (token.kind !== 'name') throw new Error(`unexpected ${token.text}`);
    if (AGGREGATIONS.has(token.text)) return this.#aggregation(token.text);
    if (this.#peek() === '(') return this.#call(token.text);
    const selector = { metric: token.text, matchers: this.#matchers() };
    this.#afterSelector = true;
    return { type: 'vector', selectors: [selector], grouped: [] };
  }

  #aggregation(name: string): Query {
    const before = this.#grouping();
    const given = this.#arguments();
    const labels = before ?? this.#grouping() ?? [];
    const wanted = AGGREGATIONS.get(name) ?? [];
    requireTypes(name, given, wanted);
    const query = together(given, 'vector');
    return {
      ...query,
      grouped: [...query.grouped, ...labels.map((label) => ({ label, over: query.selectors }))],
    };
  }

  #grouping(): readonly string[] | null {
    return this.#take('by') || this.#take('without') ? this.#labels() : null;
  }

  #call(name: string): Query {
    const signature = FUNCTIONS.get(name);
    if (signature === undefined) throw new Error(`no function ${name}`);
    const given = this.#arguments();
    requireTypes(name, given, signature.takes);
    return together(given, signature.gives);
  }

  #arguments(): readonly Query[] {
    this.#expect('(');
    const given: Query[] = [];
    while (!this.#take(')')) {
      if (given.length > 0) this.#expect(',');
      given.push(this.expression(0));
    }
    this.#afterSelector = false;
    return given;
  }

  #matchers(): Selector['matchers'] {
    const matchers: { label: string; operator: string; value: string }[] = [];
    if (!this.#take('{')) return matchers;
    while (!this.#take('}')) {
      if (matchers.length > 0) this.#expect(',');
      const label = this.#name();
      const operator = this.#next().text;
      const value = this.#next();
      if (!['=', '!=', '=~', '!~'].includes(operator)) throw new Error(`${label} ${operator}`);
      if (value.kind !== 'string') throw new Error(`${label}: ${value.text} is no text`);
      // Throws for what is no pattern.
      if (operator.includes('~')) ''.search(new RegExp(value.text, 'u'));
      matchers.push({ label, operator, value: value.text });
    }
    return matchers;
  }

  #labels(): readonly string[] {
    this.#expect('(');
    const labels: string[] = [];
    while (!this.#take(')')) {
      if (labels.length > 0) this.#expect(',');
      labels.push(this.#name());
    }
    return labels;
  }

  #name(): string {
    const { kind, text } = this.#next();
    if (kind !== 'name') throw new Error(`${text} is no name`);
    return text;
  }

  #duration(): void {
    const { kind, text } = this.#next();
    if (kind !== 'duration') throw new Error(`${text} is no duration`);
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new Error(`${this.#peek()} instead of ${text}`);
  }

  #take(text: string): boolean {
    if (this.#peek() !== text) return false;
    this.#at++;
    return true;
  }

  /** What a text says is no operator. */
  #peek(): string {
    const token = this.#tokens[this.#at];
    return token === undefined ? 'the end' : token.kind === 'string' ? `"${token.text}"` : token.text;
  }

  #next(): Token {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Error('it ends too early');
    return token;
  }
}

function requireTypes(name: string, given: readonly Query[], wanted: readonly ValueType[]): void {
  const types = given.map(({ type }) => type);
  if (types.join() !== wanted.join()) throw new Error(`${name}(${types.join()}) takes ${wanted.join()}`);
}

function together(queries: readonly Query[], type: ValueType): Query {
  return {
    type,
    selectors: queries.flatMap(({ selectors }) => selectors),
    grouped: queries.flatMap(({ grouped }) => grouped),
  };
}

/** What binds least first. */
const LEVELS: readonly (readonly string[])[] = [
  ['or'],
  ['and', 'unless'],
  ['==', '!=', '<=', '<', '>=', '>'],
  ['+', '-'],
  ['*', '/', '%', 'atan2'],
  ['^'],
];
const AGGREGATIONS: ReadonlyMap<string, readonly ValueType[]> = new Map<string, readonly ValueType[]>([
  ...['sum', 'min', 'max', 'avg', 'count', 'group', 'stddev', 'stdvar'].map(
    (name) => [name, ['vector']] as const,
  ),
  ...['topk', 'bottomk', 'quantile'].map((name) => [name, ['scalar', 'vector']] as const),
]);
type Signature = { readonly takes: readonly ValueType[]; readonly gives: ValueType };
const FUNCTIONS: ReadonlyMap<string, Signature> = new Map([
  ...['rate', 'irate', 'increase', 'delta', 'idelta', 'deriv', 'changes', 'resets'].map(ofRange),
  ...['avg_over_time', 'min_over_time', 'max_over_time', 'sum_over_time', 'count_over_time'].map(ofRange),
  ...['abs', 'absent', 'ceil', 'floor', 'exp', 'ln', 'sqrt', 'sgn', 'sort', 'sort_desc', 'timestamp'].map(
    ofVector,
  ),
  ['time', { takes: [], gives: 'scalar' }],
  ['vector', { takes: ['scalar'], gives: 'vector' }],
  ['scalar', { takes: ['vector'], gives: 'scalar' }],
  ['clamp_min', { takes: ['vector', 'scalar'], gives: 'vector' }],
  ['clamp_max', { takes: ['vector', 'scalar'], gives: 'vector' }],
  ['histogram_quantile', { takes: ['scalar', 'vector'], gives: 'vector' }],
  ['predict_linear', { takes: ['matrix', 'scalar'], gives: 'vector' }],
]);

function ofRange(name: string): readonly [string, Signature] {
  return [name, { takes: ['matrix'], gives: 'vector' }];
}

function ofVector(name: string): readonly [string, Signature] {
  return [name, { takes: ['vector'], gives: 'vector' }];
}
