// A change as lines: of each field what is gone and what is new. Of lists, value by value; what stays is
// counted.

import type { AuditChangeObject } from '../../../src/wire/audit-event.ts';

export type ChangeLines = {
  readonly name: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Values of a list on both sides. */
  readonly kept: number;
};

export function changeLines({ before, after }: AuditChangeObject): readonly ChangeLines[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.map((name) => {
    const was = before === null ? [] : valuesOf(before[name]);
    const is = after === null ? [] : valuesOf(after[name]);
    const removed = was.filter((text) => !is.includes(text));
    return {
      name,
      removed,
      added: is.filter((text) => !was.includes(text)),
      kept: was.length - removed.length,
    };
  });
}

/** Each once. */
function valuesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.length === 0 ? [NOTHING] : [...new Set(value.map(textOf))];
  return [textOf(value)];
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return NOTHING;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const NOTHING = 'none';
