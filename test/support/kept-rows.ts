// That nothing is lost: each row that a database had is there later, with the same values, but for what
// changes while a service runs. Columns and rows may be added.

import assert from 'node:assert/strict';
import type { OpenContents } from './store-contents.ts';

type Row = Readonly<Record<string, unknown>>;

export type KeptRows = Readonly<Record<string, readonly Row[]>>;

export async function keptRows({ rows }: OpenContents): Promise<KeptRows> {
  const tables = Object.entries(await rows()).filter(([table]) => !PASSING_TABLES.has(table));
  return Object.fromEntries(
    tables.map(([table, texts]) => [
      table,
      texts
        .map((text) => {
          const columns = JSON.parse(text) as readonly (readonly [string, unknown])[];
          return Object.fromEntries(columns.filter(([column]) => !PASSING_COLUMNS.has(`${table}.${column}`)));
        })
        .filter((row) => table !== 'meta' || !PASSING_FACTS.has(row['name'])),
    ]),
  );
}

export function requireKept(before: KeptRows, after: KeptRows): void {
  for (const [table, rows] of Object.entries(before)) {
    const later = after[table] ?? [];
    const lost = rows.filter((row) => !later.some((other) => holds(other, row)));
    assert.deepEqual(lost, [], `rows of ${table} are gone or changed`);
  }
}

export function rowsIn(rows: KeptRows): number {
  return Object.values(rows).reduce((sum, each) => sum + each.length, 0);
}

function holds(later: Row, row: Row): boolean {
  return Object.entries(row).every(
    ([column, value]) => JSON.stringify(later[column]) === JSON.stringify(value),
  );
}

/**
 * What is of a moment: who lives, what is next, how far the search has read, what is to be delivered, figures
 * of the hour.
 */
const PASSING_TABLES: ReadonlySet<string> = new Set([
  'gateways',
  'changes',
  'change_counter',
  'audit_counter',
  'audit_searched',
  'search_counter',
  'session_emails_filled',
  'certificates_unsearched',
  'webhook_deliveries',
  'activity',
  'share_activity',
  'share_hours',
]);

/** Rows of `meta`: whose turn it is, and what was found a moment ago. */
const PASSING_FACTS: ReadonlySet<unknown> = new Set(['sweep_until', 'target_look_until', 'silent_targets']);

const PASSING_COLUMNS: ReadonlySet<string> = new Set(['sessions.last_seen_at', 'webhooks.last_delivered_at']);
