// What a change changed, for people: a part for each field that differs. All of it is in --json.

import type { AuditChangeObject } from '../../wire/audit-event.ts';

/** `allowGroups: none → eng-*, ops`. */
export function changeTexts(change: AuditChangeObject | undefined): readonly string[] {
  if (change === undefined) return [];
  const { before, after, secrets, omitted } = change;
  const names = Object.keys(after ?? before ?? {});
  const told = names.map((name) => {
    const [was, is] = [valueText(before?.[name]), valueText(after?.[name])];
    return before === null || after === null
      ? `${name}: ${after === null ? was : is}`
      : `${name}: ${was} → ${is}`;
  });
  const hidden = secrets.map((name) => `${name}: ${before === null ? 'set' : 'changed'}`);
  return [...told, ...hidden, ...(omitted === 0 ? [] : [`${omitted} more values`])];
}

function valueText(value: unknown): string {
  const text = textOf(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  return value.length === 0 ? 'none' : value.map(textOf).join(', ');
}

/** A screen's width or two. */
const MAX_TEXT = 160;
