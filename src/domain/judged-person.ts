// What the rules of a share say of one person, whatever they ask for: the part of the judgement that stays
// the same from request to request, and is remembered. However many groups somebody has, a request asks none.

import type { CompiledRule, CompiledRules } from './compile-rules.ts';
import { allHeld, type Held, type Person, type RequestPart } from './rule-condition.ts';

export type JudgedPerson = {
  readonly person: Person;
  /** Those that the person does not fail for good, in their order. */
  readonly allows: readonly CompiledRule[];
  /** Those that the person's part does not keep from holding. */
  readonly denies: readonly CompiledRule[];
};

export type KnownLogin = Extract<Person, { kind: 'login' }>;

export function judgePerson(rules: CompiledRules, person: Person): JudgedPerson {
  const judge = ({ ofPerson }: CompiledRule): Held => allHeld(ofPerson, person, NO_REQUEST);
  return {
    person,
    allows: rules.allows.filter((rule) => judge(rule) === 'held'),
    denies: rules.denies.filter((rule) => judge(rule) !== 'failed'),
  };
}

/** `key`: of the session, or of whatever else it is of which the same is known for long. */
export function rememberedPerson(rules: CompiledRules, key: string, person: KnownLogin): JudgedPerson {
  const known = remembered.get(rules)?.get(key);
  if (known !== undefined && isSame(known.person, person)) return known;
  const judged = judgePerson(rules, person);
  remember(rules, key, judged);
  return judged;
}

/** Those who are the same to every request: whoever comes with a certificate or a token alone, or nothing. */
export function anonymousPerson(rules: CompiledRules, kind: Exclude<Person['kind'], 'login'>): JudgedPerson {
  const known = remembered.get(rules)?.get(kind);
  if (known !== undefined) return known;
  const judged = judgePerson(rules, { kind });
  remember(rules, kind, judged);
  return judged;
}

/** What a provider told is another object with each check. */
function isSame(known: Person, { provider, email, facts }: KnownLogin): boolean {
  return (
    known.kind === 'login' && known.provider === provider && known.email === email && known.facts === facts
  );
}

/** Rules that changed are another object, so nothing here is ever out of date. */
let remembered = new WeakMap<CompiledRules, Map<string, JudgedPerson>>();
let count = 0;

function remember(rules: CompiledRules, key: string, judged: JudgedPerson): void {
  if (count >= MOST_REMEMBERED) {
    remembered = new WeakMap();
    count = 0;
  }
  const known = remembered.get(rules) ?? new Map<string, JudgedPerson>();
  remembered.set(rules, known.set(key, judged));
  count++;
}

/**
 * Some megabytes. Beyond it all are judged again, which costs each person's next request some microseconds.
 */
const MOST_REMEMBERED = 50_000;
/** What is of the person does not ask. */
export const NO_REQUEST: RequestPart = {
  accountId: 'acc_none',
  path: null,
  method: '',
  address: null,
  certificate: null,
  token: null,
  now: 0,
};
