// Rules of a share in YAML: of `agent.yaml`, and in a file of their own.

import { type AccessRuleDocument, ruleDocument } from '../domain/access-rule.ts';
import { parseRules } from '../domain/parse-rules.ts';
import type { Tree } from './yaml-tree.ts';

/** Throws `validation_failed` with the place: "Cannot use rules: rule 3, `paths`: …". */
export function rulesOfTree(tree: Tree | undefined): readonly AccessRuleDocument[] {
  return parseRules(plain(tree)).map(ruleDocument);
}

/** Without the order of keys and their places. */
export function plain(tree: Tree | undefined): unknown {
  if (tree instanceof Map) return Object.fromEntries([...tree].map(([key, value]) => [key, plain(value)]));
  return Array.isArray(tree) ? tree.map(plain) : tree;
}
