// From what a share says of itself to the one list of rules that decides (DESIGN "Rules"): the short
// forms come first, then the share's own rules.

import {
  type AccessRule,
  type AccessRuleDocument,
  type ConditionName,
  LOGIN_CONDITIONS,
  type RuleConditions,
} from './access-rule.ts';
import type { CertificateRule } from './certificate-rule.ts';
import { parseDuration } from './duration.ts';
import { parseRules } from './parse-rules.ts';
import { compileConditions, type Condition } from './rule-condition.ts';
import { parseRuleEnd } from './rule-end.ts';
import { indexRules, type RuleIndex } from './rule-index.ts';

/** Settings of a share, each as it is kept. */
export type RuleSources = {
  /** Of the login that the share itself asks for; none where only its rules name providers. */
  readonly providers: readonly string[];
  readonly emails: readonly string[];
  readonly groups: readonly string[];
  readonly clientCertificate: CertificateRule | null;
  readonly access: 'all' | 'either';
  readonly allowPaths: readonly string[];
  readonly allowAddresses: readonly string[];
  readonly denyEmails: readonly string[];
  readonly rules: readonly AccessRuleDocument[];
  /**
   * Email globs by the names of providers whose definition has some: whoever it is, a login there counts only
   * with an address that matches.
   */
  readonly definitions: ReadonlyMap<string, readonly string[]>;
};

/** Where a rule comes from: a short form, or its number in the share's own list, from 1. */
export type RuleSource =
  | 'open'
  | 'login'
  | 'certificate'
  | 'allow_paths'
  | 'allow_addresses'
  | 'deny_emails'
  | number;

export type SourcedRule = AccessRule & { readonly source: RuleSource };

export type CompiledRule = SourcedRule & {
  /** Its place among all, from 0. */
  readonly number: number;
  /** All, in the order in which they are explained. */
  readonly asked: readonly Condition[];
  /** Of the request, asked each time. */
  readonly ofRequest: readonly Condition[];
  /** Of the person, remembered for as long as what is known of them stays as it is. */
  readonly ofPerson: readonly Condition[];
  /** The age of a login, which passes by itself. */
  readonly ofTime: readonly Condition[];
};

export type CompiledRules = {
  /** In the order in which they are explained. */
  readonly all: readonly CompiledRule[];
  readonly index: RuleIndex;
  /** Those that ask who somebody is. */
  readonly allows: readonly CompiledRule[];
  readonly everyone: readonly CompiledRule[];
  readonly denies: readonly CompiledRule[];
  /** Everybody is let in whatever they ask for: nothing else needs to be looked at. */
  readonly isOpen: boolean;
  /** Some rule asks for the path, so it must mean one thing only. */
  readonly asksPath: boolean;
  /** Some rule asks for path or method, so that nothing else may name another one. */
  readonly asksTarget: boolean;
  readonly asksCertificate: boolean;
  readonly asksToken: boolean;
  /** When rules end, in milliseconds since the epoch. */
  readonly ends: readonly number[];
  /** How old a login may be. */
  readonly maxAgesMs: readonly number[];
};

/**
 * The rules of a share as it is. Throws `validation_failed` where its own are not as they are written now.
 */
export function rulesOf(sources: RuleSources): readonly SourcedRule[] {
  const own = parseRules(sources.rules).map(({ effect, conditions }, index) => ({
    effect,
    conditions,
    source: index + 1,
  }));
  const short = shortForms(sources);
  const isOpen = own.length === 0 && sources.providers.length === 0 && sources.clientCertificate === null;
  return [...(isOpen ? [OPEN] : []), ...short, ...own];
}

/** Rules that cannot be read let nobody in: they may be those of a later version. */
export function compileRules(sources: RuleSources): CompiledRules {
  try {
    return compiled(rulesOf(sources).map((rule, number) => compileRule(rule, number, sources.definitions)));
  } catch {
    return compiled([]);
  }
}

function shortForms(sources: RuleSources): readonly SourcedRule[] {
  const { allowPaths, allowAddresses, denyEmails } = sources;
  return [
    ...identityForms(sources),
    ...(allowPaths.length > 0 ? [allow('allow_paths', { everyone: true, paths: allowPaths })] : []),
    ...(allowAddresses.length > 0 ? [deny('allow_addresses', { outside: allowAddresses })] : []),
    ...(denyEmails.length > 0 ? [deny('deny_emails', { emails: denyEmails })] : []),
  ];
}

/** Where either is enough, who shows the certificate is not asked to log in. */
function identityForms({ providers, emails, groups, clientCertificate, access }: RuleSources) {
  const certificate = clientCertificate === null ? [] : [{ certificate: clientCertificate }];
  const login =
    providers.length === 0
      ? []
      : [
          {
            providers,
            ...(emails.length > 0 ? { emails } : {}),
            ...(groups.length > 0 ? { groups } : {}),
          },
        ];
  const [first] = certificate;
  if (access === 'all' && first !== undefined)
    return login.length === 0
      ? [allow('certificate', first)]
      : login.map((conditions) => allow('login', { ...first, ...conditions }));
  return [
    ...certificate.map((conditions) => allow('certificate', conditions)),
    ...login.map((conditions) => allow('login', conditions)),
  ];
}

function compileRule(
  rule: SourcedRule,
  number: number,
  definitions: RuleSources['definitions'],
): CompiledRule {
  const asked = compileConditions(rule, definitions);
  return {
    ...rule,
    number,
    asked,
    ofRequest: asked.filter(({ name }) => name !== 'everyone' && !isOfPerson(name)),
    ofPerson: asked.filter(({ name }) => isOfPerson(name) && name !== 'max_age'),
    ofTime: asked.filter(({ name }) => name === 'max_age'),
  };
}

function compiled(all: readonly CompiledRule[]): CompiledRules {
  const allows = all.filter(({ effect }) => effect === 'allow');
  const asks = (name: ConditionName) => all.some(({ conditions }) => conditions[name] !== undefined);
  return {
    all,
    index: indexRules(all),
    allows: allows.filter(({ conditions }) => conditions.everyone !== true),
    everyone: allows.filter(({ conditions }) => conditions.everyone === true),
    denies: all.filter(({ effect }) => effect === 'deny'),
    isOpen: all.length === 1 && all[0]?.source === 'open',
    asksPath: asks('paths'),
    asksTarget: asks('paths') || asks('methods'),
    asksCertificate: asks('certificate'),
    asksToken: asks('tokens'),
    ends: all.flatMap(({ conditions: { until } }) => (until === undefined ? [] : [parseRuleEnd(until)])),
    maxAgesMs: all.flatMap(({ conditions: { max_age: age } }) =>
      age === undefined ? [] : [parseDuration(age)],
    ),
  };
}

function isOfPerson(name: ConditionName): boolean {
  return LOGIN_CONDITIONS.some((each) => each === name);
}

function allow(source: RuleSource, conditions: RuleConditions): SourcedRule {
  return { source, effect: 'allow', conditions };
}

function deny(source: RuleSource, conditions: RuleConditions): SourcedRule {
  return { source, effect: 'deny', conditions };
}

const OPEN = allow('open', { everyone: true });
