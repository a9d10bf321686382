// The one evaluator of rules (DESIGN "Rules"). Any deny that holds refuses; else the first allow that
// holds lets in; else what could still hold after a login or with a certificate says what is to happen.

import type { ConditionName } from './access-rule.ts';
import { type CertificateRefusal, certificateRefusal } from './client-certificate.ts';
import type { CompiledRule, CompiledRules, RuleSource } from './compile-rules.ts';
import { parseDuration } from './duration.ts';
import { ANY_STRENGTH, isAnyStrength, type LoginStrength } from './login-strength.ts';
import { anonymousPerson, type JudgedPerson } from './judged-person.ts';
import { allHeld, type Held, type Person, type RequestPart } from './rule-condition.ts';
import { isIn, type RuleSet } from './rule-index.ts';
import { conditionText } from './rule-text.ts';

export type Refused = { readonly source: RuleSource; readonly condition: ConditionName | null };

export type Grounds =
  /** Who comes is let in on what this rule asks for. `login`: the session among it. */
  | { readonly kind: 'let-in'; readonly rule: CompiledRule; readonly login: boolean }
  /** The first deny that kept somebody out whom an allow would have let in; null where no allow held. */
  | { readonly kind: 'none'; readonly denied: Refused | null };

/** On what somebody is let in who shows who they are. */
export function identityGrounds(
  rules: CompiledRules,
  { judged, request }: { readonly judged: JudgedPerson | null; readonly request: RequestPart },
): Grounds {
  const failing = rules.index.failing(request);
  const kept: JudgedPerson[] = [];
  let denied: Refused | null = null;
  for (const rule of (judged ?? anonymousPerson(rules, 'nobody')).allows) {
    if (isIn(failing, rule.number) || !holdsNow(rule, judged?.person ?? NOBODY, request)) continue;
    const login = rule.ofPerson.length > 0;
    const of = login && judged !== null ? judged : anonymousPerson(rules, kindOf(rule));
    if (kept.includes(of)) continue;
    const deny = firstDeny(of, request, failing);
    if (deny === null) return { kind: 'let-in', rule, login };
    kept.push(of);
    denied ??= refusedBy(deny, of.person, request);
  }
  return { kind: 'none', denied };
}

/** The rule that lets in whoever comes, for what is asked for; null when there is none, or a deny holds. */
export function everyoneGrounds(rules: CompiledRules, request: RequestPart): CompiledRule | null {
  if (rules.everyone.length === 0) return null;
  const failing = rules.index.failing(request);
  for (const rule of rules.everyone)
    if (!isIn(failing, rule.number) && holdsNow(rule, NOBODY, request))
      return firstDeny(anonymousPerson(rules, 'nobody'), request, failing) === null ? rule : null;
  return null;
}

/** What could let in somebody whom nothing lets in as they come. */
export type Prospect = {
  /** Where a login could help, in the order of the rules. */
  readonly providers: readonly string[];
  /**
   * All that is missing is a stronger or fresher login at the person's own provider: what that must show.
   * Null when it would not help.
   */
  readonly stronger: LoginStrength | null;
  /** A login would help, were its provider there. */
  readonly unusable: boolean;
  /** What is wrong with the certificate, or with coming without. */
  readonly certificate: CertificateRefusal | null;
  /** What kept the person out who is logged in; null where no rule speaks of their provider. */
  readonly person: Refused | null;
  /** A deny that holds whoever somebody is. */
  readonly denied: Refused | null;
};

export type ProspectInput = {
  readonly request: RequestPart;
  /** Who is logged in; null where nobody is, or by a session that does not count. */
  readonly judged: JudgedPerson | null;
  /** The providers that are there. */
  readonly usable: readonly string[];
};

export function prospect(rules: CompiledRules, { request, judged, usable }: ProspectInput): Prospect {
  const login = judged?.person ?? null;
  const failing = rules.index.failing(request);
  const denies = rules.denies.filter(({ number }) => !isIn(failing, number));
  const denied = denies.find((rule) => allHeld(rule.asked, UNKNOWN_LOGIN, request) === 'held');
  const providers: string[] = [];
  let stronger: LoginStrength | null = null;
  let unusable = false;
  let certificate: CertificateRefusal | null = null;
  let person: Refused | null = null;
  for (const rule of rules.allows) {
    const { conditions } = rule;
    const lacking = rule.ofRequest.filter(({ judge }) => judge(NOBODY, request) !== 'held');
    if (lacking.some(({ name }) => name !== 'certificate')) continue;
    if (lacking.length > 0) certificate ??= whyNot(rule, request);
    else if (conditions.providers !== undefined) {
      const isNamed = login?.kind === 'login' && conditions.providers.includes(login.provider);
      const failed = isNamed ? failedOf(rule, login, request) : [];
      const [first = null] = failed;
      if (first !== null) {
        person ??= { source: rule.source, condition: first };
        if (failed.every((name) => name === 'acr' || name === 'max_age')) stronger ??= strengthOf(rule);
      }
      const named = isNamed ? [] : conditions.providers;
      const there = named.filter((name) => usable.includes(name));
      unusable ||= named.length > 0 && there.length === 0;
      for (const name of there)
        if (!providers.includes(name) && !isDeniedAt(denies, name, request)) providers.push(name);
    }
  }
  return {
    providers,
    stronger: judged !== null && firstDeny(judged, request, failing) === null ? stronger : null,
    unusable,
    certificate,
    person,
    denied: denied === undefined ? null : refusedBy(denied, UNKNOWN_LOGIN, request),
  };
}

/** What a login at this provider must show in any case, to be let in by any rule. */
export function strengthAt(rules: CompiledRules, provider: string): LoginStrength {
  const naming = rules.allows.filter(({ conditions }) => conditions.providers?.includes(provider) === true);
  const wanted = naming.map(strengthOf);
  const [first = ANY_STRENGTH] = wanted;
  return wanted.some(isAnyStrength) ? ANY_STRENGTH : first;
}

function strengthOf({ conditions: { acr = [], max_age: age } }: CompiledRule): LoginStrength {
  return { acrValues: acr, maxAgeMs: age === undefined ? null : parseDuration(age) };
}

/** Each rule and each of its conditions, for people. */
export type ExplainedRule = {
  readonly source: RuleSource;
  readonly effect: CompiledRule['effect'];
  readonly held: Held;
  readonly conditions: readonly ExplainedCondition[];
};

export type ExplainedCondition = {
  readonly name: ConditionName;
  /** `groups eng-*, ops`. */
  readonly text: string;
  readonly held: Held;
};

export function explainRules(
  rules: CompiledRules,
  person: Person,
  request: RequestPart,
): readonly ExplainedRule[] {
  return rules.all.map(({ source, effect, asked, conditions }) => ({
    source,
    effect,
    held: allHeld(asked, person, request),
    conditions: asked.map(({ name, judge }) => ({
      name,
      text: conditionText(conditions, name),
      held: judge(person, request),
    })),
  }));
}

/** What rules say may be another thing from this moment on, if nothing changes before. */
export function rulesTurnAt(rules: CompiledRules, authTime: number | null, now: number): number {
  let turn = Infinity;
  for (const end of rules.ends) if (end > now && end < turn) turn = end;
  if (authTime !== null)
    for (const ageMs of rules.maxAgesMs) {
      const over = authTime + ageMs + 1;
      if (over > now && over < turn) turn = over;
    }
  return turn;
}

function holdsNow(rule: CompiledRule, person: Person, request: RequestPart): boolean {
  if (allHeld(rule.ofRequest, person, request) !== 'held') return false;
  return rule.ofTime.length === 0 || allHeld(rule.ofTime, person, request) === 'held';
}

/** Denies ask more than they know: what is unknown counts as held. */
function firstDeny(
  { denies, person }: JudgedPerson,
  request: RequestPart,
  failing: RuleSet,
): CompiledRule | null {
  for (const rule of denies)
    if (!isIn(failing, rule.number) && allHeld(rule.ofRequest, person, request) !== 'failed') return rule;
  return null;
}

function refusedBy({ source, asked }: CompiledRule, person: Person, request: RequestPart): Refused {
  const held = asked.find(({ judge }) => judge(person, request) !== 'failed');
  return { source, condition: held?.name ?? null };
}

function failedOf(rule: CompiledRule, person: Person, request: RequestPart): readonly ConditionName[] {
  return [...rule.ofPerson, ...rule.ofTime]
    .filter(({ judge }) => judge(person, request) !== 'held')
    .map(({ name }) => name);
}

function whyNot({ conditions }: CompiledRule, { accountId, certificate, now }: RequestPart) {
  const { certificate: rule } = conditions;
  return rule === undefined ? null : certificateRefusal({ accountId, rule }, certificate, now);
}

function isDeniedAt(denies: readonly CompiledRule[], provider: string, request: RequestPart): boolean {
  const person: Person = { kind: 'login', provider, email: null, facts: null };
  return denies.some((rule) => allHeld(rule.asked, person, request) === 'held');
}

/** On whose grounds a rule lets this person in: a token or nobody at all is the same to every deny. */
export function groundsOf(rule: CompiledRule, person: Person): Person {
  return rule.ofPerson.length > 0 ? person : { kind: kindOf(rule) };
}

/** A rule that asks for a token alone lets a program in; else it is a certificate that does. */
function kindOf({ conditions }: CompiledRule): 'token' | 'certificate' {
  return conditions.certificate === undefined ? 'token' : 'certificate';
}

const NOBODY: Person = { kind: 'nobody' };
/** Of whom it is not known who they are, or where they would log in. */
const UNKNOWN_LOGIN: Person = { kind: 'certificate' };
