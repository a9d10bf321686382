// A section of a reference of keys: a heading and a table of its fields.

import type { Field, Fields } from '../../src/config/describe.ts';
import { table } from './table.ts';

export type FieldSection = { readonly title: string; readonly note?: string; readonly fields: Fields };

export function fieldSection({ title, note, fields }: FieldSection): string {
  const rows = Object.entries(fields).map(([key, field]) => [
    nameOf(key, field),
    field.type,
    absentOf(field),
    field.meaning,
  ]);
  return `## ${title}

${note === undefined ? '' : `${note}\n\n`}${table(['Key', 'Type', 'Without it', 'Meaning'], rows)}`;
}

function nameOf(key: string, { secret }: Field): string {
  return secret === true ? `\`${key}\` or \`${key}_file\`` : `\`${key}\``;
}

function absentOf({ absent }: Field): string {
  if (absent === 'required') return 'required';
  if ('means' in absent) return absent.means;
  const { default: value } = absent;
  return typeof value === 'object' ? `\`[${value.join(', ')}]\`` : `\`${value}\``;
}
