// Schemas as tables of fields. Everything shown is escaped.

import { escapeHtml } from '../../http/page-escape.ts';
import { refName, resolved, type Schema, type Schemas } from './description.ts';

export type Field = {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly description?: string | undefined;
};

/** Empty for a schema without fields. Fields within fields have names with dots. */
export function fieldsTable(schema: Schema, schemas: Schemas): string {
  return table(fieldsOf(schema, ''), schemas);
}

export function table(fields: readonly Field[], schemas: Schemas): string {
  if (fields.length === 0) return '';
  const rows = fields.map(({ name, required, schema, description }) => {
    const said = description ?? schema.description ?? resolved(schema, schemas).description ?? '';
    const bounds = boundsText(schema);
    return `<tr><th scope="row"><code>${escapeHtml(name)}</code>${required ? ' <b>required</b>' : ''}</th><td><span class="type">${typeHtml(schema)}</span>${bounds === '' ? '' : ` <small>${escapeHtml(bounds)}</small>`}${said === '' ? '' : `<br>${inlineHtml(said)}`}</td></tr>`;
  });
  return `<table><tbody>${rows.join('')}</tbody></table>`;
}

/** Text with `code` in it. */
export function inlineHtml(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part)))
    .join('');
}

export function schemaLink(name: string): string {
  return `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
}

function fieldsOf({ properties = {}, required = [], items }: Schema, prefix: string): readonly Field[] {
  // What a list within an object holds: `faults[].path`.
  if (items !== undefined) return fieldsOf(items, `${prefix.slice(0, -1)}[].`);
  return Object.entries(properties).flatMap(([key, schema]): readonly Field[] => {
    const field: Field = { name: `${prefix}${key}`, required: required.includes(key), schema };
    return [field].concat(fieldsOf(schema, `${prefix}${key}.`));
  });
}

function typeHtml(schema: Schema): string {
  const name = refName(schema);
  if (name !== null) return schemaLink(name);
  const types = [schema.type ?? 'any'].flat();
  const shown = types.map((type) =>
    type === 'array' && schema.items !== undefined ? `list of ${typeHtml(schema.items)}` : escapeHtml(type),
  );
  const values = schema.enum?.map((value) => `<code>${escapeHtml(String(value))}</code>`);
  return values === undefined ? shown.join(' or ') : values.join(' ');
}

function boundsText(schema: Schema): string {
  const { format, minLength, maxLength, maxItems, minimum, maximum, example } = schema;
  const bounds: readonly (readonly [string, unknown])[] = [
    ['', format],
    ['at least characters', minLength],
    ['characters at most', maxLength],
    ['entries at most', maxItems],
    ['from', minimum],
    ['to', maximum],
    ['default', schema.default],
    ['such as', example],
  ];
  return bounds
    .flatMap(([label, value]) => (value === undefined || value === '' ? [] : [boundText(label, value)]))
    .join(', ');
}

function boundText(label: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (label === '') return text;
  if (label === 'at least characters') return `${text} at least`;
  return label.endsWith('most') ? `${text} ${label}` : `${label} ${text}`;
}
