// Audit events as a spreadsheet reads them.

import { csvLine as textLine } from '../../../src/domain/csv-line.ts';
import type { AuditEventObject } from '../../../src/wire/audit-event.ts';

export function csvHead(): string {
  return textLine([...COLUMNS, 'changes']);
}

export function csvLine(event: AuditEventObject): string {
  const changes = event.changes === undefined ? '' : JSON.stringify(event.changes);
  return textLine([...COLUMNS.map((column) => event[column] ?? ''), changes]);
}

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
