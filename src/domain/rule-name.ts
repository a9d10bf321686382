// What a rule is called where people read of it: its number, or the setting that it comes from.

import type { RuleEffect } from './access-rule.ts';

/** `rule 2, allow`; `source` as `RuleSource`, which pages in a browser cannot load. */
export function ruleName(source: string | number, effect: RuleEffect): string {
  return `${typeof source === 'number' ? `rule ${source}` : source}, ${effect}`;
}
