// Who gets in before and after a change of a share, for people: a part for each setting that differs. All of
// it is in --json.

import type { AccessChangeObject } from '../../wire/audit-event.ts';
import type { AccessRuleDocument } from '../../domain/access-rule.ts';
import { ruleText } from '../../domain/rule-text.ts';

/** `allowGroups: none → eng-*, ops`. */
export function accessChangeTexts(change: AccessChangeObject | undefined): readonly string[] {
  if (change === undefined) return [];
  const { before, after, omitted } = change;
  const names = Object.keys(after ?? before ?? {});
  const told = names.map((name) => {
    const [was, is] = [valueText(name, before?.[name]), valueText(name, after?.[name])];
    return before === null || after === null
      ? `${name}: ${after === null ? was : is}`
      : `${name}: ${was} → ${is}`;
  });
  return omitted === 0 ? told : [...told, `${omitted} more values`];
}

function valueText(name: string, value: unknown): string {
  const text = textOf(name, value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (value.length === 0) return 'none';
  if (name === 'rules') return (value as readonly AccessRuleDocument[]).map(ruleText).join(' | ');
  return value.join(', ');
}

/** A screen's width or two. */
const MAX_TEXT = 160;
