// The file of `--rule-file`: a list of rules in YAML or JSON, alone or under `rules` or `access`.

import type { AccessRuleDocument } from '../../domain/access-rule.ts';
import { readTextFile } from '../providers/definition-file.ts';

/** With the rules in place of the name of their file. Throws `usage` and `validation_failed`. */
export async function withRuleFile<T extends { readonly rules?: unknown }>(
  said: T,
): Promise<Omit<T, 'rules'> & { readonly rules?: readonly AccessRuleDocument[] }> {
  const { rules, ...others } = said;
  if (typeof rules === 'string') return { ...others, rules: await readRuleFile(rules) };
  return rules === undefined ? others : { ...others, rules: rules as readonly AccessRuleDocument[] };
}

/** Throws `usage` and `validation_failed`. */
export async function readRuleFile(file: string): Promise<readonly AccessRuleDocument[]> {
  const text = await readTextFile(file);
  const { readRules } = await import('../../config/read-rules.ts');
  return readRules(text, file);
}
