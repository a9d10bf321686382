// Rules as somebody wrote them, in JSON or YAML: read strictly, and refused with the place of what is wrong.

import {
  type AccessRule,
  CONDITION_NAMES,
  type ConditionName,
  LOGIN_CONDITIONS,
  MAX_RULE_VALUES,
  MAX_RULES,
  MAX_RULES_CHARACTERS,
  type RuleConditions,
  type RuleEffect,
} from './access-rule.ts';
import { parseAddressRange } from './address-range.ts';
import type { CertificateRule } from './certificate-rule.ts';
import { parseDuration } from './duration.ts';
import { compileEmailPattern } from './email-pattern.ts';
import { parsePathRule } from './path-rule.ts';
import { isProviderName } from './provider-name.ts';
import { parseRuleEnd } from './rule-end.ts';
import { ServiceError } from './service-error.ts';
import { requireTextGlob } from './text-glob.ts';

/** Throws `validation_failed`: "Cannot use rules: rule 3, `paths`: …". */
export function parseRules(value: unknown): readonly AccessRule[] {
  if (!Array.isArray(value)) throw refused('they are not a list');
  if (value.length > MAX_RULES) throw refused(`there are ${value.length}, and may be ${MAX_RULES}`);
  const rules = value.map((rule, index) => parseRule(rule, `rule ${index + 1}`));
  const { length } = JSON.stringify(rules);
  if (length > MAX_RULES_CHARACTERS)
    throw refused(`they have ${length} characters together, and may have ${MAX_RULES_CHARACTERS}`);
  return rules;
}

function parseRule(value: unknown, place: string): AccessRule {
  const written = recordOf(value, place, 'it is not written as `allow: { … }` or `deny: { … }`');
  const [key = '', ...more] = Object.keys(written);
  if (more.length > 0 || (key !== 'allow' && key !== 'deny'))
    throw refused('it does not have either `allow` or `deny`, alone', place);
  const conditions = parseConditions(written[key], place);
  judge(key, conditions, place);
  return { effect: key, conditions };
}

function parseConditions(value: unknown, place: string): RuleConditions {
  const written = recordOf(value, place, 'its conditions are not written as `name: value`');
  const unknown = Object.keys(written).find((name) => !CONDITION_NAMES.some((known) => known === name));
  if (unknown !== undefined) throw refused(`there is no condition "${unknown.slice(0, 40)}"`, place);
  const parsed = CONDITION_NAMES.flatMap((name) => {
    const given = written[name];
    return given === undefined ? [] : [[name, PARSERS[name](given, `${place}, \`${name}\``)] as const];
  });
  return Object.fromEntries(parsed) as RuleConditions;
}

/** What the conditions of one rule must be together. */
function judge(effect: RuleEffect, conditions: RuleConditions, place: string): void {
  const names = CONDITION_NAMES.filter((name) => conditions[name] !== undefined);
  const of = (name: ConditionName) => `${place}, \`${name}\``;
  if (names.length === 0) throw refused('it has no conditions', place);
  if (effect === 'deny') {
    // It would refuse whoever has just logged in, and let in whoever has not for long.
    if (conditions.max_age !== undefined) throw refused('it cannot be a condition of `deny`', of('max_age'));
    return;
  }
  const identities = IDENTITIES.filter((name) => conditions[name] !== undefined);
  const isForAll = conditions.everyone === true;
  if (!isForAll && identities.length === 0)
    throw refused('it lets in whoever comes, and has to say so: `everyone: true`', place);
  const ofLogin = LOGIN_CONDITIONS.find((name) => conditions[name] !== undefined);
  const [identity = ofLogin] = identities;
  if (isForAll && identity !== undefined) throw refused('it cannot stand beside `everyone`', of(identity));
  if (ofLogin !== undefined && conditions.providers === undefined)
    throw refused('it needs `providers`: at which providers people log in', of(ofLogin));
}

type Parsers = { readonly [N in ConditionName]: (value: unknown, place: string) => RuleConditions[N] };

const PARSERS: Parsers = {
  everyone: (value, place) => {
    if (value !== true) throw refused('it is not `true`', place);
    return true;
  },
  until: (value, place) => textOf(value, place, parseRuleEnd),
  methods: (value, place) =>
    textsOf(value, place, (method) => {
      if (!METHOD.test(method)) throw refused(`"${method.slice(0, 40)}" is no method, such as GET`, place);
    }),
  paths: (value, place) => textsOf(value, place, parsePathRule),
  addresses: (value, place) => textsOf(value, place, requireRange),
  outside: (value, place) => textsOf(value, place, requireRange),
  tokens: (value, place) => textsOf(value, place, requireTextGlob),
  certificate: parseCertificate,
  providers: (value, place) =>
    textsOf(value, place, (name) => {
      if (!isProviderName(name)) throw refused(`"${name.slice(0, 100)}" is no name of a provider`, place);
    }),
  emails: (value, place) => textsOf(value, place, compileEmailPattern),
  groups: (value, place) => textsOf(value, place, requireTextGlob),
  claims: (value, place) => {
    const written = Object.entries(recordOf(value, place, 'it is not written as `name: [values]`'));
    requireCount(written.length, place);
    return Object.fromEntries(
      written.map(([name, globs]) => {
        if (!CLAIM.test(name)) throw refused(`"${name.slice(0, 40)}" is no name of a claim`, place);
        return [name, textsOf(globs, `${place}, "${name}"`, requireTextGlob)];
      }),
    );
  },
  acr: (value, place) =>
    textsOf(value, place, (text) => {
      if (!ACR.test(text)) throw refused(`"${text.slice(0, 40)}" is no \`acr\``, place);
    }),
  max_age: (value, place) => textOf(value, place, parseDuration),
};

function parseCertificate(value: unknown, place: string): CertificateRule {
  const written = recordOf(value, place, 'it is not written as `{ subject: …, unit: … }`');
  const unknown = Object.keys(written).find((name) => name !== 'subject' && name !== 'unit');
  if (unknown !== undefined) throw refused(`there is no "${unknown.slice(0, 40)}"`, place);
  const globOf = (name: 'subject' | 'unit') =>
    written[name] === undefined || written[name] === null
      ? null
      : textOf(written[name], `${place}, \`${name}\``, requireTextGlob);
  return { subject: globOf('subject'), unit: globOf('unit') };
}

function textsOf(value: unknown, place: string, check: (text: string) => unknown): readonly string[] {
  if (!Array.isArray(value)) throw refused('it is not a list', place);
  requireCount(value.length, place);
  return value.map((each) => textOf(each, place, check));
}

function requireCount(count: number, place: string): void {
  if (count === 0) throw refused('it is empty', place);
  if (count > MAX_RULE_VALUES)
    throw refused(`it has ${count} values, and may have ${MAX_RULE_VALUES}`, place);
}

function textOf(value: unknown, place: string, check: (text: string) => unknown): string {
  if (typeof value !== 'string') throw refused('there is a value that is no text', place);
  try {
    check(value);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.message.startsWith(CANNOT)) throw error;
    throw refused(error.message.replace(/^Cannot parse /, ''), place, error.hint);
  }
  return value;
}

function recordOf(value: unknown, place: string, found: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw refused(found, place);
}

function requireRange(text: string): void {
  if (parseAddressRange(text) === null)
    throw new ServiceError(
      'validation_failed',
      `Cannot parse range: "${text.slice(0, 100)}": it is no address or range, or has bits set after its prefix`,
      { hint: 'Write a range such as 10.0.0.0/8 or 2001:db8::/32, or one address.' },
    );
}

function refused(found: string, place?: string, hint: string | null = null): ServiceError {
  const at = place === undefined ? '' : `${place}: `;
  return new ServiceError('validation_failed', `${CANNOT}${at}${found}`, {
    hint: hint ?? 'Write a rule such as allow: { providers: [corp], groups: [eng-*] }.',
  });
}

const CANNOT = 'Cannot use rules: ';
/** Who somebody is. An `allow` needs one of them, or says that it needs none. */
const IDENTITIES = ['providers', 'certificate', 'tokens'] as const;
/** RFC 9110 section 9.1: methods are in upper case by convention, and cases differ. */
const METHOD = /^[A-Z][A-Z-]{0,19}$/;
/** Names as tokens have them, dotted paths and URIs among them. */
const CLAIM = /^[\w.:/#@-]{1,256}$/;
/** OpenID Connect Core 2: case-sensitive text; several are sent with spaces between them. */
const ACR = /^[!-~]{1,256}$/;
