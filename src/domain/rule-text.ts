// A rule in one line, for people.

import { type AccessRuleDocument, CONDITION_NAMES } from './access-rule.ts';
import { conditionsOf } from './named-providers.ts';

/** `allow providers corp; groups eng-*, ops`. */
export function ruleText(rule: AccessRuleDocument): string {
  const conditions = conditionsOf(rule);
  const parts = CONDITION_NAMES.flatMap((name) => {
    const value = conditions[name];
    return value === undefined ? [] : [`${name} ${valueText(value)}`.trimEnd()];
  });
  return `${'allow' in rule ? 'allow' : 'deny'} ${parts.join('; ')}`;
}

function valueText(value: unknown): string {
  if (value === true) return '';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.join(', ');
  const said = Object.entries(value).filter(([, each]) => each !== null);
  return said.length === 0 ? 'any' : said.map(([name, each]) => `${name} ${valueText(each)}`).join(' and ');
}
