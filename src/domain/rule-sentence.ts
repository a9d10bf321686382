// A rule in one sentence, for people: "Let in: groups eng-* or ops, logged in with Corp".

import type { AccessRuleDocument, ConditionName, RuleConditions } from './access-rule.ts';
import { conditionsOf } from './named-providers.ts';

/** What a provider is called where people choose one. */
export type TitleOf = (name: string) => string;

export type RuleSentence = {
  readonly lead: 'Let in' | 'Deny';
  /** Whom, in clauses that all must be true. */
  readonly text: string;
};

export function ruleSentence(rule: AccessRuleDocument, titleOf: TitleOf = (name) => name): RuleSentence {
  return { lead: 'allow' in rule ? 'Let in' : 'Deny', text: whom(conditionsOf(rule), titleOf) };
}

/** On one line. */
export function ruleLine(rule: AccessRuleDocument, titleOf?: TitleOf): string {
  const { lead, text } = ruleSentence(rule, titleOf);
  return `${lead}: ${text}`;
}

function whom(conditions: RuleConditions, titleOf: TitleOf): string {
  const named = ORDER.filter((name) => conditions[name] !== undefined);
  if (named.length === 0) return 'nobody yet';
  const [first = 'everyone'] = named;
  const isSubject = Object.hasOwn(SUBJECTS, first);
  const clauses = named.map((name, index) => {
    const subject = index === 0 ? SUBJECTS[name] : undefined;
    return (subject ?? CLAUSES[name])(conditions, titleOf);
  });
  const separator = isSubject && first !== 'everyone' ? ', ' : ' ';
  return [...(isSubject ? [] : ['everyone']), ...clauses].join(separator);
}

type Clause = (conditions: RuleConditions, titleOf: TitleOf) => string;

/** Of the first clause of a sentence. */
const SUBJECTS: Partial<Record<ConditionName, Clause>> = {
  everyone: () => 'everyone',
  emails: ({ emails }) => either(emails),
  groups: ({ groups = [] }) => `${groups.length > 1 ? 'groups' : 'group'} ${either(groups)}`,
  claims: (conditions) => `whoever has ${claimsText(conditions)}`,
  tokens: ({ tokens }) => `service token ${either(tokens)}`,
  certificate: (conditions) => `whoever has ${certificateText(conditions)}`,
  providers: ({ providers }, titleOf) => `everybody logged in with ${either(providers, titleOf)}`,
};

const CLAUSES: Record<ConditionName, Clause> = {
  everyone: () => 'everyone',
  emails: ({ emails }) => `with address ${either(emails)}`,
  groups: ({ groups = [] }) => `in ${groups.length > 1 ? 'groups' : 'group'} ${either(groups)}`,
  claims: (conditions) => `with ${claimsText(conditions)}`,
  tokens: ({ tokens }) => `with service token ${either(tokens)}`,
  certificate: (conditions) => `with ${certificateText(conditions)}`,
  providers: ({ providers }, titleOf) => `logged in with ${either(providers, titleOf)}`,
  acr: ({ acr }) => `with login class ${either(acr)}`,
  max_age: ({ max_age: age }) => `logged in within ${age || NOTHING_YET}`,
  addresses: ({ addresses }) => `from ${either(addresses)}`,
  outside: ({ outside }) => `from outside ${either(outside)}`,
  paths: ({ paths }) => `at ${either(paths)}`,
  methods: ({ methods }) => `by ${either(methods)}`,
  until: ({ until = '' }) => `until ${endText(until)}`,
};

function either(values: readonly string[] = [], say: (value: string) => string = (value) => value): string {
  if (values.length === 0) return NOTHING_YET;
  const shown = values.slice(0, MOST_SHOWN).map((value) => say(value));
  const more = values.length - shown.length;
  const all = more === 0 ? shown : [...shown, `${more} more`];
  const last = all.at(-1) ?? '';
  return all.length === 1 ? last : `${all.slice(0, -1).join(', ')} or ${last}`;
}

function claimsText({ claims = {} }: RuleConditions): string {
  const all = Object.entries(claims).map(([name, values]) => `${name || NOTHING_YET} ${either(values)}`);
  return `${all.length > 1 ? 'claims' : 'claim'} ${all.length === 0 ? NOTHING_YET : all.join(' and ')}`;
}

function certificateText({ certificate }: RuleConditions): string {
  const { subject = null, unit = null } = certificate ?? {};
  const named = subject === null ? '' : ` named ${subject}`;
  return `a client certificate${named}${unit === null ? '' : ` of unit ${unit}`}`;
}

/** `2027-03-04` as `4 March 2027`; nothing for what is no day. */
export function dayInWords(day: string): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? '' : DAY.format(at);
}

/** `31 March 2027, UTC`; a moment with its offset. */
function endText(until: string): string {
  const [, day, time, zone] =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})[\d:.]*(Z|[+-]\d{2}:\d{2}))?$/.exec(until) ?? [];
  const said = dayInWords(day ?? '');
  if (said === '') return until || NOTHING_YET;
  const where = zone === undefined || zone === 'Z' ? 'UTC' : `UTC${zone}`;
  return `${said}${time === undefined ? ',' : ` at ${time}`} ${where}`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
/** First whom, then where and when. */
const ORDER: readonly ConditionName[] = [
  ...(['everyone', 'emails', 'groups', 'claims', 'tokens', 'certificate', 'providers'] as const),
  ...(['acr', 'max_age', 'addresses', 'outside', 'paths', 'methods', 'until'] as const),
];
/** More are counted: the sentence is to be read at a glance. */
const MOST_SHOWN = 4;
/** What is still to be filled in. */
const NOTHING_YET = '…';
