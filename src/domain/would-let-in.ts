// Whether a share would let somebody in of whom some facts are said, and why: the parts of `decide()`,
// asked about a person who has just logged in without a fault. This file only finds the words for the answer.

import {
  type AskedFacts,
  askedPerson,
  askedRequest,
  countedFacts,
  rulesAsAsked,
  saysLogin,
  UNSAID_PROVIDER,
} from './asked-facts.ts';
import type { CompiledRule, CompiledRules, RuleSource } from './compile-rules.ts';
import { parseEmailAddress } from './email-address.ts';
import { matchingPattern } from './email-pattern.ts';
import {
  everyoneGrounds,
  type ExplainedRule,
  explainRules,
  groundsOf,
  identityGrounds,
} from './evaluate-rules.ts';
import { judgePerson } from './judged-person.ts';
import { allHeld, type Person, type RequestPart } from './rule-condition.ts';
import type { Share } from './share.ts';
import { rulesOfShare } from './share-rules.ts';

export const ADMISSION_REASONS = [
  'no_login',
  'certificate_alone',
  'any_address',
  'pattern_matches',
  'rule_allows',
  'more_needed',
  'share_disabled',
  'ambiguous_path',
  'provider_unusable',
  'email_unusable',
  'provider_pattern_needed',
  'pattern_needed',
  'rule_denies',
  'rule_needed',
] as const;
export type AdmissionReason = (typeof ADMISSION_REASONS)[number];

/** `depends`: on what is not said. */
export const ADMISSION_OUTCOMES = ['allowed', 'depends', 'refused'] as const;
export type AdmissionOutcome = (typeof ADMISSION_OUTCOMES)[number];

export type WouldLetIn = {
  readonly outcome: AdmissionOutcome;
  readonly reason: AdmissionReason;
  /** The one that lets in, could, or keeps out; null for none in particular. */
  readonly rule: RuleSource | null;
  /** Where somebody like that would log in; null without a login. */
  readonly provider: string | null;
  /** The share's pattern that matches; null when none does, or none is asked for. */
  readonly pattern: string | null;
  /** As `pattern`, of the provider's definition. */
  readonly providerPattern: string | null;
  /** Whether a client certificate is not asked for, or needed as well, or enough without the login. */
  readonly certificate: 'none' | 'needed' | 'enough';
  readonly rules: readonly ExplainedRule[];
};

export function wouldLetIn(share: Share, said: AskedFacts, now: number): WouldLetIn {
  const known = rulesOfShare(share);
  const facts = countedFacts(known.rules, said);
  const rules = rulesAsAsked(known.rules, facts);
  const { accountId } = share;
  const request = askedRequest(facts, { accountId, asksPath: rules.asksPath, now });
  const tried = loginsOf(share, facts, now).map((login) => tryLogin(rules, login, request));
  const best =
    tried.find(({ outcome }) => outcome === 'allowed') ??
    tried.find(({ outcome }) => outcome === 'depends') ??
    tried[0]!;
  const { person } = best.login;
  const at = known.providers.find(({ name }) => person.kind === 'login' && name === person.provider) ?? null;
  const { email } = facts;
  const found = {
    provider: at?.name ?? share.login?.named[0] ?? null,
    pattern: email === undefined ? null : matchingPattern(share.login?.emailPatterns ?? [], email),
    providerPattern: email === undefined ? null : matchingPattern(at?.emailPatterns ?? [], email),
    certificate: certificateOf(share),
    rules: best.rules,
  };
  if (!share.enabled) return { ...found, outcome: 'refused', reason: 'share_disabled', rule: null };
  if (request === null) return { ...found, outcome: 'refused', reason: 'ambiguous_path', rule: null };
  const { outcome, rule } = best;
  if (outcome === 'allowed') return { ...found, outcome, rule, reason: groundOf(rule, found) };
  if (outcome === 'depends') return { ...found, outcome, rule, reason: 'more_needed' };
  const reason = refusalOf(share, facts, {
    ...found,
    definition: at?.emailPatterns ?? null,
    isDenied: rule !== null,
  });
  return { ...found, outcome, rule, reason };
}

type AskedLogin = {
  /** Logged in, or a program with a service token. */
  readonly person: Person;
  /** Whether there can be such a session. */
  readonly counts: boolean;
};

/** The ways in which somebody of whom this is said may have logged in, at least one. */
function loginsOf(share: Share, facts: AskedFacts, now: number): readonly AskedLogin[] {
  const { providerNames } = rulesOfShare(share);
  const at = (provider: string, counts: boolean) => ({ person: askedPerson(facts, provider, now), counts });
  if (typeof facts.token === 'string') return [{ person: { kind: 'token' }, counts: false }];
  if (!saysLogin(facts)) return [at(UNSAID_PROVIDER, false)];
  const usable = providerNames.filter((name) => name === (facts.provider ?? name));
  // No login ever gives such an address, so no session has it (DESIGN "Email").
  if (!isUsable(facts) || usable.length === 0) return [at(NOWHERE, false)];
  return usable.map((name) => at(name, true));
}

function isUsable({ email }: AskedFacts): boolean {
  return email === undefined || parseEmailAddress(email) !== null;
}

type Tried = Pick<WouldLetIn, 'outcome' | 'rule' | 'rules'> & { readonly login: AskedLogin };

function tryLogin(rules: CompiledRules, login: AskedLogin, request: RequestPart | null): Tried {
  const { person, counts } = login;
  if (request === null) return { login, outcome: 'refused', rule: null, rules: [] };
  const judged = counts ? judgePerson(rules, person) : null;
  const grounds = identityGrounds(rules, { judged, request });
  const allowing = grounds.kind === 'let-in' ? grounds.rule : everyoneGrounds(rules, request);
  if (allowing !== null) {
    const explained = explainedFor(rules, { person, request, rule: allowing });
    return { login, outcome: 'allowed', rule: allowing.source, rules: explained };
  }
  const open = rules.all.filter(
    ({ effect, asked }) => effect === 'allow' && allHeld(asked, person, request) !== 'failed',
  );
  const denying = open.map((rule) => firmDeny(rules, { person, request, rule }));
  const left = open.find((_rule, index) => denying[index] === null);
  const rule = left ?? open[0] ?? null;
  return {
    login,
    outcome: left === undefined ? 'refused' : 'depends',
    rule: left?.source ?? denying[0]?.source ?? null,
    rules: explainedFor(rules, { person, request, rule }),
  };
}

type Of = { readonly person: Person; readonly request: RequestPart };

/** One that holds whatever else is said. */
function firmDeny(rules: CompiledRules, { person, request, rule }: Of & { readonly rule: CompiledRule }) {
  const held = rules.denies.find(({ asked }) => allHeld(asked, groundsOf(rule, person), request) === 'held');
  return held ?? null;
}

/** Each deny as the gate asks it of whoever is let in on the grounds of this rule. */
function explainedFor(
  rules: CompiledRules,
  { person, request, rule }: Of & { readonly rule: CompiledRule | null },
): readonly ExplainedRule[] {
  const denied = explainRules(rules, rule === null ? person : groundsOf(rule, person), request);
  return explainRules(rules, person, request).map((each, index) =>
    each.effect === 'allow' ? each : denied[index]!,
  );
}

type Found = Pick<WouldLetIn, 'pattern' | 'providerPattern' | 'certificate'>;

function certificateOf({ login, clientCertificate, access }: Share): WouldLetIn['certificate'] {
  if (clientCertificate === null) return 'none';
  return access === 'either' && login !== null ? 'enough' : 'needed';
}

function groundOf(rule: RuleSource | null, { pattern, providerPattern }: Found): AdmissionReason {
  if (rule === 'open') return 'no_login';
  if (rule === 'certificate') return 'certificate_alone';
  if (rule !== 'login') return 'rule_allows';
  return pattern === null && providerPattern === null ? 'any_address' : 'pattern_matches';
}

type Refused = Found & {
  readonly isDenied: boolean;
  /** The patterns of the provider's definition; null when no login counts. */
  readonly definition: readonly string[] | null;
};

function refusalOf(share: Share, facts: AskedFacts, refused: Refused): AdmissionReason {
  const { login } = share;
  if (refused.isDenied) return 'rule_denies';
  if (login !== null && !isUsable(facts)) return 'email_unusable';
  if (login !== null && rulesOfShare(share).providers.length === 0) return 'provider_unusable';
  if (login === null || facts.email === undefined || refused.definition === null) return 'rule_needed';
  if (refused.definition.length > 0 && refused.providerPattern === null) return 'provider_pattern_needed';
  const isShort = login.named.length > 0 && login.emailPatterns.length > 0;
  return isShort && refused.pattern === null ? 'pattern_needed' : 'rule_needed';
}

/** No provider has this name either: a login at one that does not count. */
const NOWHERE = ' ';
