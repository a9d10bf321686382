// What shares get, counted; and what an overview counts, found without reading the rows.

import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function activity(db: Kysely<Tables>): Promise<void> {
  await countTables(db);
  await countIndexes(db);
}

async function countTables({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('activity')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('step_ms', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .$call(counts)
    .addPrimaryKeyConstraint('activity_of_account', ['account_id', 'step_ms', 'at'])
    .execute();
  await schema.createIndex('activity_by_age').on('activity').columns(['step_ms', 'at']).execute();
  await schema
    .createTable('share_activity')
    // Neither is a reference: what was counted of a share that is gone goes by its age.
    .addColumn('share_id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .$call(counts)
    .addPrimaryKeyConstraint('activity_of_share', ['share_id', 'at'])
    .execute();
  await schema.createIndex('share_activity_by_age').on('share_activity').column('at').execute();
}

/** `ActivityCounts`. */
function counts<Columns extends string>(table: CreateTableBuilder<string, Columns>) {
  return table
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('answered', 'bigint', (column) => column.notNull())
    .addColumn('refused', 'bigint', (column) => column.notNull())
    .addColumn('faulted', 'bigint', (column) => column.notNull());
}

/** Each holds all that is asked for, so that an account with very much is counted as quickly. */
async function countIndexes(db: Kysely<Tables>): Promise<void> {
  const statements = [
    'CREATE INDEX share_activity_faults ON share_activity (account_id, at, share_id) WHERE faulted > 0',
    'CREATE INDEX shares_by_state ON shares (account_id, enabled, tunnel, agent_seen_at)',
    'CREATE INDEX sessions_living ON sessions (account_id, expires_at) WHERE ended_at IS NULL',
    'CREATE INDEX client_certificates_living ON client_certificates (account_id, not_after) WHERE revoked_at IS NULL',
    `CREATE INDEX audit_events_logins ON audit_events (account_id, at, provider, kind) WHERE ${LOGIN_EVENTS}`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** As `audit/logins.ts` asks for them: SQLite takes the index for exactly this condition. */
const LOGIN_EVENTS = "kind IN ('login.succeeded', 'login.refused', 'login.failed')";
