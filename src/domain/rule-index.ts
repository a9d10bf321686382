// Which rules fail for a request whatever else they ask, found for all rules at once: a hundred rules cost a
// request about what one costs (DESIGN "Rules"). It only saves work: what it does not name is judged in full.

import type { AccessRule, ConditionName } from './access-rule.ts';
import { isOtherSubject } from './client-certificate.ts';
import { pathIndex } from './path-index.ts';
import { allHeld, type Condition, pathRulesOf, type RequestPart } from './rule-condition.ts';

export type IndexedRule = AccessRule & {
  /** Its place among all, from 0. */
  readonly number: number;
  readonly asked: readonly Condition[];
};

/** A bit for each rule by its number, 32 to a word. */
export type RuleSet = readonly number[];

export type RuleIndex = {
  /** Rules that fail here by their path, method, addresses, tokens or certificate. */
  readonly failing: (request: RequestPart) => RuleSet;
};

export function isIn(set: RuleSet, number: number): boolean {
  return (((set[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1;
}

export function indexRules(rules: readonly IndexedRule[]): RuleIndex {
  const facets = FACETS.flatMap(({ names, facet }) => {
    const asking = rules.filter(({ conditions }) => names.some((name) => conditions[name] !== undefined));
    return asking.length === 0 ? [] : [facet(asking, names)];
  });
  const words = Math.ceil(rules.length / 32);
  return {
    failing: (request) => {
      const failing: number[] = [];
      for (let word = 0; word < words; word++) failing.push(0);
      for (const facet of facets) {
        const set = facet(request);
        for (let word = 0; word < set.length; word++) failing[word] = (failing[word] ?? 0) | (set[word] ?? 0);
      }
      return failing;
    },
  };
}

/** Of the rules that ask one thing of a request: those that fail by it. */
type Facet = (request: RequestPart) => RuleSet;
type ToFacet = (asking: readonly IndexedRule[], names: readonly ConditionName[]) => Facet;

/** What is the gateway's own is no path of the share: path and method fail nobody there. */
function byPath(asking: readonly IndexedRule[]): Facet {
  const all = setOf(asking);
  const matching = pathIndex(
    asking.flatMap(({ number, effect, conditions: { paths = [] } }) =>
      pathRulesOf(effect, paths).map((rule) => ({ rule, number })),
    ),
  );
  return ({ path }) => {
    if (path === null) return NONE;
    const failing = [...all];
    for (const numbers of matching(path)) for (const number of numbers) remove(failing, number);
    return failing;
  };
}

function byMethod(asking: readonly IndexedRule[], names: readonly ConditionName[]): Facet {
  const failing = judgedOnce(({ method }) => method, failingBy(asking, names));
  return (request) => (request.path === null ? NONE : failing(request));
}

function byAddress(asking: readonly IndexedRule[], names: readonly ConditionName[]): Facet {
  return judgedOnce(({ address }) => address, failingBy(asking, names));
}

function byToken(asking: readonly IndexedRule[], names: readonly ConditionName[]): Facet {
  return judgedOnce(({ token }) => token, failingBy(asking, names));
}

/** By its names alone, which stay: whether it counts is another thing from one moment to the next. */
function byCertificate(asking: readonly IndexedRule[]): Facet {
  const all = setOf(asking);
  const failing = judgedOnce(
    ({ certificate }) => JSON.stringify([certificate?.commonName, certificate?.organizationalUnit]),
    ({ certificate: shown }) =>
      setOf(
        asking.filter(
          ({ conditions: { certificate: rule } }) =>
            rule !== undefined && shown !== null && isOtherSubject(rule, shown),
        ),
      ),
  );
  return (request) => (request.certificate?.accountId === request.accountId ? failing(request) : all);
}

function failingBy(asking: readonly IndexedRule[], names: readonly ConditionName[]): Facet {
  const asked = asking.map(({ number, asked: all }) => ({
    number,
    conditions: all.filter(({ name }) => names.includes(name)),
  }));
  return (request) =>
    setOf(asked.filter(({ conditions }) => allHeld(conditions, NOBODY, request) === 'failed'));
}

/** The same methods, clients and credentials come again and again. `read`: all that `judge` looks at. */
function judgedOnce(read: (request: RequestPart) => string | null, judge: Facet): Facet {
  const known = new Map<string | null, RuleSet>();
  return (request) => {
    const text = read(request);
    if (text !== null && text.length > LONGEST_REMEMBERED) return judge(request);
    const found = known.get(text);
    if (found !== undefined) return found;
    const set = judge(request);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(text, set);
    return set;
  };
}

function setOf(rules: readonly Pick<IndexedRule, 'number'>[]): RuleSet {
  const set: number[] = [];
  for (const { number } of rules) {
    while (set.length <= number >>> 5) set.push(0);
    set[number >>> 5] = (set[number >>> 5] ?? 0) | (1 << (number & 31));
  }
  return set;
}

function remove(set: number[], number: number): void {
  set[number >>> 5] = (set[number >>> 5] ?? 0) & ~(1 << (number & 31));
}

const FACETS: readonly { readonly names: readonly ConditionName[]; readonly facet: ToFacet }[] = [
  { names: ['paths'], facet: byPath },
  { names: ['methods'], facet: byMethod },
  { names: ['addresses', 'outside'], facet: byAddress },
  { names: ['tokens'], facet: byToken },
  { names: ['certificate'], facet: byCertificate },
];
const NOBODY = { kind: 'nobody' } as const;
const NONE: RuleSet = [];
/** Of each thing asked, for one share: some hundred kilobytes. */
const MOST_REMEMBERED = 1_000;
/** Clients may send methods and certificates as long as they like. */
const LONGEST_REMEMBERED = 200;
