// A rule in one line, for people.

import {
  type AccessRuleDocument,
  CONDITION_NAMES,
  type ConditionName,
  type RuleConditions,
} from './access-rule.ts';
import { conditionsOf } from './named-providers.ts';

/** `allow providers corp; groups eng-*, ops`. */
export function ruleText(rule: AccessRuleDocument): string {
  const conditions = conditionsOf(rule);
  const asked = CONDITION_NAMES.filter((name) => conditions[name] !== undefined);
  const parts = asked.map((name) => conditionText(conditions, name));
  return `${'allow' in rule ? 'allow' : 'deny'} ${parts.join('; ')}`;
}

/** `groups eng-*, ops`. */
export function conditionText(conditions: RuleConditions, name: ConditionName): string {
  return `${name} ${valueText(conditions[name])}`.trimEnd();
}

function valueText(value: unknown): string {
  if (value === true) return '';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.join(', ');
  const said = Object.entries(value).filter(([, each]) => each !== null);
  return said.length === 0 ? 'any' : said.map(([name, each]) => `${name} ${valueText(each)}`).join(' and ');
}
