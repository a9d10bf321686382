// What rules cost a decision, as text.

import { table } from './compare.ts';
import { MANY_GROUPS_KIND, NO_RULES_KIND, ONE_GROUP_KIND, type RuleMeasures } from './rows/rules.ts';
import { median } from './subject.ts';

export function rulesTable(rules: RuleMeasures): string {
  const none = rules[NO_RULES_KIND] ?? [];
  return table(
    ['One decision, in the process alone', 'CPU µs', 'µs beyond no rules', '×'],
    Object.entries(rules).map(([name, measures]) => [
      name,
      median(measures).toFixed(2),
      extraUs(measures, none).toFixed(2),
      ratio(measures, none).toFixed(2),
    ]),
  );
}

/** Of the kind of a hundred rules that costs most. */
export function mostExtraUs(rules: RuleMeasures): number {
  const none = rules[NO_RULES_KIND] ?? [];
  return Math.max(...Object.values(rules).map((measures) => extraUs(measures, none)));
}

export function groupsRatio(rules: RuleMeasures): number {
  return ratio(rules[MANY_GROUPS_KIND] ?? [], rules[ONE_GROUP_KIND] ?? []);
}

/** The median of the rounds' differences. */
function extraUs(measures: readonly number[], base: readonly number[]): number {
  return median(measures.map((us, round) => us - (base[round] ?? Number.NaN)));
}

/** The median of the rounds' ratios. */
function ratio(measures: readonly number[], base: readonly number[]): number {
  return median(measures.map((us, round) => us / (base[round] ?? Number.NaN)));
}
