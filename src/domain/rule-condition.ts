// The conditions of a rule, each judged alone and three-valued: what is not known holds for nobody who is to
// be let in, and against everybody who may be meant.

import type { AccessRule, ConditionName, RuleEffect } from './access-rule.ts';
import { isInRange, parseAddressRange } from './address-range.ts';
import { type CertificateFacts, certificateRefusal } from './client-certificate.ts';
import { parseDuration } from './duration.ts';
import { matchesAnyPattern } from './email-pattern.ts';
import type { AccountId } from './id.ts';
import { parseIpAddress } from './ip-address.ts';
import { matchesPath, type PathRule, parsePathRule, wideRule } from './path-rule.ts';
import { parseRuleEnd } from './rule-end.ts';
import type { SessionFacts } from './session-facts.ts';
import { compileTextGlob, type TextGlob } from './text-glob.ts';

export type Held = 'held' | 'failed' | 'unknown';

/** On whose grounds somebody would be let in. */
export type Person =
  /** Logged in, or as if they were: null where it is not known what a login would say. */
  | {
      readonly kind: 'login';
      readonly provider: string;
      readonly email: string | null;
      readonly facts: SessionFacts | null;
    }
  /** Somebody with an address and groups, whom the certificate does not name. */
  | { readonly kind: 'certificate' }
  /** A program, or whoever comes: neither has an address or groups. */
  | { readonly kind: 'token' | 'nobody' };

/** What rules ask of a request. */
export type RequestPart = {
  readonly accountId: AccountId;
  /**
   * As `comparablePath()` answers it. Null for what is the gateway's own: no path of the share is asked for.
   */
  readonly path: string | null;
  readonly method: string;
  /** Null when it cannot be read. */
  readonly address: string | null;
  readonly certificate: CertificateFacts | null;
  /** The name of the service token that came with it. */
  readonly token: string | null;
  readonly now: number;
};

export type Condition = {
  readonly name: ConditionName;
  readonly judge: (person: Person, request: RequestPart) => Held;
};

/** Throws where a condition is not as `parseRules()` lets it pass. */
export function compileConditions(
  { effect, conditions }: AccessRule,
  definitions: ReadonlyMap<string, readonly string[]>,
): readonly Condition[] {
  const { certificate, claims } = conditions;
  // What is the gateway's own is no path of the share: nobody is kept from it, or let in, for its path.
  const atOwnPath = effect === 'allow' ? 'held' : 'failed';
  const compiled: Condition[] = [];
  const add = (name: ConditionName, judge: Condition['judge']) => compiled.push({ name, judge });
  if (conditions.everyone === true) add('everyone', () => 'held');
  if (conditions.until !== undefined) {
    const end = parseRuleEnd(conditions.until);
    add('until', (_person, { now }) => heldIf(now < end));
  }
  if (conditions.methods !== undefined) {
    const methods = conditions.methods;
    add('methods', (_person, { path, method }) =>
      path === null ? atOwnPath : heldIf(methods.includes(method)),
    );
  }
  if (conditions.paths !== undefined) {
    const paths = pathRulesOf(effect, conditions.paths);
    add('paths', (_person, { path }) => (path === null ? atOwnPath : heldIf(matchesAnyPath(paths, path))));
  }
  if (conditions.addresses !== undefined) {
    const isInside = rangeTest(conditions.addresses);
    add('addresses', (_person, { address }) => inside(isInside, address));
  }
  if (conditions.outside !== undefined) {
    const isInside = rangeTest(conditions.outside);
    add('outside', (_person, { address }) => opposite(inside(isInside, address)));
  }
  if (conditions.tokens !== undefined) {
    const globs = conditions.tokens.map(compileTextGlob);
    add('tokens', (_person, { token }) => heldIf(token !== null && matchesAny(globs, token)));
  }
  if (certificate !== undefined)
    add('certificate', (_person, { accountId, certificate: shown, now }) => {
      const refused = certificateRefusal({ accountId, rule: certificate }, shown, now);
      if (refused === null) return 'held';
      return refused === 'certificate_refused' && shown?.commonName === null ? 'unknown' : 'failed';
    });
  if (conditions.providers !== undefined) {
    const providers = conditions.providers;
    add('providers', (person) => {
      if (person.kind !== 'login' || !providers.includes(person.provider)) return 'failed';
      const patterns = effect === 'allow' ? definitions.get(person.provider) : undefined;
      return patterns === undefined
        ? 'held'
        : ofPerson(person, emailOf, (email) => matchesAnyPattern(patterns, email));
    });
  }
  if (conditions.emails !== undefined) {
    const emails = conditions.emails;
    add('emails', (person) => ofPerson(person, emailOf, (email) => matchesAnyPattern(emails, email)));
  }
  if (conditions.groups !== undefined) {
    // Many a provider tells no group from one in another case, and answers its own spelling.
    const spelled = (text: string) => (effect === 'deny' ? text.toLowerCase() : text);
    const globs = conditions.groups.map((text) => compileTextGlob(spelled(text)));
    add('groups', (person) => ofPerson(person, groupsOf, (groups) => anyMatches(globs, groups.map(spelled))));
  }
  if (claims !== undefined) add('claims', claimsJudge(claims));
  if (conditions.acr !== undefined) {
    const classes = conditions.acr;
    add('acr', (person) => ofPerson(person, acrOf, (acr) => classes.includes(acr)));
  }
  if (conditions.max_age !== undefined) {
    const maxAgeMs = parseDuration(conditions.max_age);
    add('max_age', (person, { now }) => ofPerson(person, authTimeOf, (at) => isWithin(now - at, maxAgeMs)));
  }
  return compiled;
}

/** All of them: one that fails decides, then one that is not known. */
export function allHeld(conditions: readonly Condition[], person: Person, request: RequestPart): Held {
  let all: Held = 'held';
  for (const { judge } of conditions) {
    const held = judge(person, request);
    if (held === 'failed') return 'failed';
    if (held === 'unknown') all = 'unknown';
  }
  return all;
}

/** What a backend may take for a path that is refused is refused, too. */
export function pathRulesOf(effect: RuleEffect, texts: readonly string[]): readonly PathRule[] {
  const rules = texts.map(parsePathRule);
  return effect === 'deny' ? rules.map(wideRule) : rules;
}

function matchesAnyPath(paths: readonly PathRule[], path: string): boolean {
  for (const rule of paths) if (matchesPath(rule, path)) return true;
  return false;
}

function claimsJudge(claims: Readonly<Record<string, readonly string[]>>): Condition['judge'] {
  const asked = Object.entries(claims).map(([name, texts]) => ({ name, globs: texts.map(compileTextGlob) }));
  return (person) => {
    let all: Held = 'held';
    for (const { name, globs } of asked) {
      const held = ofPerson(
        person,
        ({ facts }) => (facts !== null && Object.hasOwn(facts.claims, name) ? facts.claims[name] : null),
        (values) => anyMatches(globs, values),
      );
      if (held === 'failed') return 'failed';
      if (held === 'unknown') all = 'unknown';
    }
    return all;
  };
}

/** `read` answers null for what is not known. */
function ofPerson<T>(
  person: Person,
  read: (person: LoggedIn) => T | null | undefined,
  holds: (value: T) => boolean,
): Held {
  if (person.kind === 'certificate') return 'unknown';
  if (person.kind !== 'login') return 'failed';
  const value = read(person) ?? null;
  return value === null ? 'unknown' : heldIf(holds(value));
}

type LoggedIn = Extract<Person, { kind: 'login' }>;

const emailOf = ({ email }: LoggedIn) => email;
const groupsOf = ({ facts }: LoggedIn) => facts?.groups;
const acrOf = ({ facts }: LoggedIn) => facts?.acr;
const authTimeOf = ({ facts }: LoggedIn) => facts?.authTime;

/** One that lies ahead is of a clock that was wrong. */
function isWithin(passedMs: number, limitMs: number): boolean {
  return passedMs >= -CLOCKS_APART_MS && passedMs <= limitMs;
}

function heldIf(holds: boolean): Held {
  return holds ? 'held' : 'failed';
}

function opposite(held: Held): Held {
  if (held === 'unknown') return held;
  return heldIf(held === 'failed');
}

function inside(isInside: (address: string) => boolean | null, text: string | null): Held {
  const held = text === null ? null : isInside(text);
  return held === null ? 'unknown' : heldIf(held);
}

/** Of an address that cannot be read: null. The same clients come again and again. */
function rangeTest(texts: readonly string[]): (address: string) => boolean | null {
  const ranges = texts.flatMap((text) => parseAddressRange(text) ?? []);
  const list = `${++lists} `;
  return (text) => {
    const key = list + text;
    const known = judged.get(key);
    if (known !== undefined) return known;
    const address = parseIpAddress(text);
    const held = address === null ? null : ranges.some((range) => isInRange(address, range));
    if (judged.size >= MAX_JUDGED) judged.clear();
    judged.set(key, held);
    return held;
  };
}

/** Of all lists of ranges together: whoever has many, and many addresses, takes no more memory. */
const judged = new Map<string, boolean | null>();
let lists = 0;

function matchesAny(globs: readonly TextGlob[], text: string): boolean {
  return globs.some((glob) => glob.matches(text));
}

function anyMatches(globs: readonly TextGlob[], texts: readonly string[]): boolean {
  return texts.some((text) => matchesAny(globs, text));
}

/** More than synchronised clocks ever differ. */
const CLOCKS_APART_MS = 60_000;
/** A few megabytes. */
const MAX_JUDGED = 20_000;
