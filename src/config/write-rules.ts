// Rules as a YAML text that `readRules()` reads again as the same rules: a line each, as the documents show
// them.

import { Document, isMap, visit } from 'yaml';
import type { AccessRuleDocument } from '../domain/access-rule.ts';

export function rulesText(rules: readonly AccessRuleDocument[]): string {
  const document = new Document({ rules }, { schema: 'core' });
  visit(document, {
    Pair: (_key, pair, path) => {
      // A rule is a mapping in the list below `rules`; what it asks stands beside its effect.
      if (path.filter(isMap).length === 2 && isMap(pair.value)) pair.value.flow = true;
      // As nobody would write it: there is no such glob.
      return isNull(pair.value) ? visit.REMOVE : undefined;
    },
  });
  return document.toString({ lineWidth: 0, singleQuote: true });
}

function isNull(node: unknown): boolean {
  return typeof node === 'object' && node !== null && 'value' in node && node.value === null;
}
