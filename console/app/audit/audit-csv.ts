// Audit events as a spreadsheet reads them (RFC 4180). What comes from visitors may look like a formula; a
// spreadsheet that is given one as text must not run it.

import type { AuditEventObject } from '../../../src/wire/audit-event.ts';

export function csvHead(): string {
  return line([...COLUMNS, 'changes']);
}

export function csvLine(event: AuditEventObject): string {
  const changes = event.changes === undefined ? '' : JSON.stringify(event.changes);
  return line([...COLUMNS.map((column) => event[column] ?? ''), changes]);
}

function line(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** An apostrophe in front makes it text; each cell stands in quotes. */
function cell(text: string): string {
  const guarded = FORMULA.test(text) ? `'${text}` : text;
  return `"${guarded.replaceAll('"', '""')}"`;
}

/** As spreadsheets see a beginning: after spaces too, and in their wide forms. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@|%＝＋－＠]|^[\t\r\n]/u;
const COLUMNS = [
  'at',
  'kind',
  'email',
  'actor',
  'ip',
  'provider',
  'shareId',
  'sessionId',
  'reason',
  'requestId',
  'id',
  'result',
  'rule',
] as const satisfies readonly (keyof AuditEventObject)[];
