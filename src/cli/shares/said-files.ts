// What options of a share say by naming a file: its rules, and an image for its icon.

import type { AccessRuleDocument } from '../../domain/access-rule.ts';
import { isImageName } from '../../domain/image-url.ts';
import { readIconFile } from '../providers/definition-file.ts';
import { readRuleFile } from './rule-file.ts';

type Said = { readonly rules?: unknown; readonly icon?: string | null | undefined };

/** With what is in the files in place of their names. Throws `usage` and `validation_failed`. */
export async function withFiles<T extends Said>(
  said: T,
): Promise<Omit<T, 'rules'> & { readonly rules?: readonly AccessRuleDocument[] }> {
  const { rules, ...others } = said;
  const { icon } = said;
  const isImage = typeof icon === 'string' && isImageName(icon);
  const settings = isImage ? { ...others, icon: await readIconFile(icon) } : others;
  if (typeof rules === 'string') return { ...settings, rules: await readRuleFile(rules) };
  return rules === undefined ? settings : { ...settings, rules: rules as readonly AccessRuleDocument[] };
}
