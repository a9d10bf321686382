// What a rule is called where people read of it: its number, or the setting that it comes from.

import type { RuleEffect } from './access-rule.ts';

/** `rule 2, allow`; `source` as text of a `RuleSource`, which pages in a browser cannot load. */
export function ruleName(source: string, effect: RuleEffect): string {
  return `${/^\d/.test(source) ? `rule ${source}` : source}, ${effect}`;
}
