// The file of `--rule-file`: a list of rules in YAML or JSON, alone or under `rules` or `access`.

import type { AccessRuleDocument } from '../../domain/access-rule.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { readTextFile } from '../providers/definition-file.ts';

/** With the rules in place of the name of their file. Throws `usage` and `validation_failed`. */
export async function withRuleFile<T extends { readonly rules?: unknown }>(
  said: T,
): Promise<Omit<T, 'rules'> & { readonly rules?: readonly AccessRuleDocument[] }> {
  const { rules, ...others } = said;
  if (typeof rules === 'string') return { ...others, rules: await rulesIn(rules) };
  return rules === undefined ? others : { ...others, rules: rules as readonly AccessRuleDocument[] };
}

async function rulesIn(file: string): Promise<readonly AccessRuleDocument[]> {
  const text = await readTextFile(file);
  const { readTree } = await import('../../config/yaml-tree.ts');
  const { rulesOfTree } = await import('../../config/rule-tree.ts');
  const { root, faults } = readTree(text);
  const [first] = faults;
  if (first !== undefined)
    throw new ServiceError(
      'usage',
      `Cannot read ${file}: line ${first.line}: ${first.found}; expected ${first.wanted}`,
    );
  const named =
    root instanceof Map && root.size === 1 ? (root.get('rules') ?? root.get('access')) : undefined;
  return rulesOfTree(named ?? root);
}
