// All events of a filter as one file, made in the browser: read page after page, the newest first, and
// written in the order in which they happened.

import type { AuditEventObject, AuditPageObject, AuditSearch } from '../../../src/wire/audit-event.ts';
import { csvHead, csvLine } from './audit-csv.ts';
import type { AuditInput } from './audit-input.ts';

export type ExportForm = 'csv' | 'jsonl';

export type ExportWork = {
  readonly list: (search: AuditSearch) => Promise<AuditPageObject>;
  /** How many were read by now. */
  readonly progress: (count: number) => void;
  /** Stops it between two pages. */
  readonly signal: AbortSignal;
};

export type Exported = {
  readonly parts: readonly string[];
  readonly count: number;
  /** Whether there are older ones that are not in it. */
  readonly isCut: boolean;
};

/** Null when it was stopped. Throws what the API answers. */
export async function exportEvents(
  form: ExportForm,
  input: AuditInput,
  { list, progress, signal }: ExportWork,
): Promise<Exported | null> {
  const events: AuditEventObject[] = [];
  let cursor: string | null = null;
  do {
    const page: AuditPageObject = await list({ ...input, order: 'newest', cursor, limit: PAGE });
    if (signal.aborted) return null;
    events.push(...page.items);
    cursor = page.nextCursor;
    progress(events.length);
  } while (cursor !== null && events.length < MOST_EVENTS);
  const kept = events.slice(0, MOST_EVENTS).toReversed();
  return {
    parts: form === 'csv' ? [csvHead(), ...kept.map(csvLine)] : kept.map(jsonLine),
    count: kept.length,
    isCut: cursor !== null || events.length > MOST_EVENTS,
  };
}

/** `audit-acme-2030-01-31.csv`; account names are letters, digits and hyphens. */
export function exportName(form: ExportForm, accountName: string, now: Date): string {
  return `audit-${accountName}-${now.toISOString().slice(0, 10)}.${form}`;
}

export const EXPORT_TYPES: Readonly<Record<ExportForm, string>> = {
  csv: 'text/csv;charset=utf-8',
  jsonl: 'application/jsonl',
};

function jsonLine(event: AuditEventObject): string {
  return `${JSON.stringify(event)}\n`;
}

/** The largest page that the API gives. */
const PAGE = 200;
/** Some 15 MB in the browser; for more there is `doorward audit --json`. */
export const MOST_EVENTS = 50_000;
