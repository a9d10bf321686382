// The file of `--rule-file`: a list of rules in YAML or JSON, alone or under `rules` or `access`.

import type { AccessRuleDocument } from '../../domain/access-rule.ts';
import { readTextFile } from '../providers/definition-file.ts';

/** Throws `usage` and `validation_failed`. */
export async function readRuleFile(file: string): Promise<readonly AccessRuleDocument[]> {
  const text = await readTextFile(file);
  const { readRules } = await import('../../config/read-rules.ts');
  return readRules(text, file);
}
