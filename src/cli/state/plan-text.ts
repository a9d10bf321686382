// What an apply would do, or did, as people read it: each change with its fields, by their names in the file.

import { snakeCase } from '../../domain/share-values.ts';
import type { ApplyAnswer, MadeSecret, StateChange, StateField, StateThing } from '../../wire/state.ts';
import { plain } from '../terminal.ts';

export function planText({ changes, unchanged, kept, notes }: ApplyAnswer): string {
  const same = `${unchanged.length} unchanged`;
  const lines = [
    ...changes.flatMap(changeLines),
    ...(changes.length === 0 ? [`nothing to change (${same})`] : ['', `${counts(changes)}, ${same}`]),
    ...(kept.length === 0
      ? []
      : [`not in the file, and kept (--prune deletes them): ${kept.map(thingText).join(', ')}`]),
    ...notes,
  ];
  return lines.map((line) => `${plain(line)}\n`).join('');
}

export function doneText({ changes, notes }: ApplyAnswer): string {
  const done = `Applied ${changes.length === 1 ? '1 change' : `${changes.length} changes`}.`;
  return [done, ...notes].map((line) => `${plain(line)}\n`).join('');
}

/** A line each: kind, name, secret. */
export function secretsText(secrets: readonly MadeSecret[]): string {
  if (secrets.length === 0) return '';
  const lines = secrets.map(({ kind, name, secret }) => plain(`${kind} ${name} ${secret}`));
  return `\nshown only once:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function changeLines(change: StateChange): readonly string[] {
  const { action, fields } = change;
  const note = action === 'replace' ? NOTES[change.kind] : undefined;
  return [
    `${SIGNS[action]} ${action} ${thingText(change)}${note === undefined ? '' : ` (${note})`}`,
    ...fields.map((field) => `    ${fieldText(field, action === 'create')}`),
  ];
}

function thingText({ kind, name }: StateThing): string {
  return kind === name ? kind : `${kind} ${name}`;
}

function fieldText({ name, before = null, after = null, secret }: StateField, isNew: boolean): string {
  const key = snakeCase(name);
  if (secret === true) return `${key}: ${isNew ? 'set' : 'changed'}`;
  return isNew ? `${key}: ${after ?? 'none'}` : `${key}: ${before ?? 'none'} → ${after ?? 'none'}`;
}

/** `1 to create, 2 to delete`. */
function counts(changes: readonly StateChange[]): string {
  return Object.keys(SIGNS)
    .map((action) => ({ action, count: changes.filter((change) => change.action === action).length }))
    .filter(({ count }) => count > 0)
    .map(({ action, count }) => `${count} to ${action}`)
    .join(', ');
}

const SIGNS = { create: '+', change: '~', replace: '±', delete: '-' } as const;
const NOTES: Partial<Record<StateChange['kind'], string>> = {
  token: 'a new token; the present one stops working',
  host: 'it must be verified again, unless the operator granted it',
};
