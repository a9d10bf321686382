// Rules as somebody wrote them in a text of their own, in YAML or JSON: a list, alone or under `rules` or
// `access`. What `--rule-file` and the console's form take.

import type { AccessRuleDocument } from '../domain/access-rule.ts';
import { ServiceError } from '../domain/service-error.ts';
import { rulesOfTree } from './rule-tree.ts';
import { readTree } from './yaml-tree.ts';

/** `name` is what the text is called. Throws `usage` and `validation_failed`. */
export function readRules(text: string, name: string): readonly AccessRuleDocument[] {
  const { root, faults } = readTree(text);
  const [first] = faults;
  if (first !== undefined)
    throw new ServiceError(
      'usage',
      `Cannot read ${name}: line ${first.line}: ${first.found}; expected ${first.wanted}`,
    );
  const named =
    root instanceof Map && root.size === 1 ? (root.get('rules') ?? root.get('access')) : undefined;
  return rulesOfTree(named ?? root);
}
