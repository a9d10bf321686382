// Sessions at the control plane of an API key, and of a person who is no member; who a member's session is
// of; and request tokens by which a holder renews a certificate.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function consoleAccess(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;
  // Null for a session that was begun before: it shows nobody's own things.
  for (const column of ['subject', 'email'] as const)
    await schema.alterTable('console_sessions').addColumn(column, 'text').execute();
  await schema.alterTable('console_sessions').addColumn('email_verified', 'integer').execute();
  await keySessions(db);
  await visitorSessions(db);
  await schema.alterTable('certificate_request_tokens').addColumn('renews', 'text').execute();
  await sql`CREATE INDEX certificate_request_tokens_by_renewal ON certificate_request_tokens (renews) WHERE renews IS NOT NULL`.execute(
    db,
  );
  // Of one person at all accounts.
  await schema
    .createIndex('client_certificates_by_holder')
    .on('client_certificates')
    .columns(['email_address', 'not_after'])
    .execute();
}

async function keySessions({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('key_sessions')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    // They go with the key, also when the version before deletes it.
    .addColumn('key_id', 'text', (column) => column.notNull().references('api_keys.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('ip', 'text')
    .execute();
  await schema.createIndex('key_sessions_by_key').on('key_sessions').column('key_id').execute();
  await schema.createIndex('key_sessions_by_expiry').on('key_sessions').column('expires_at').execute();
}

async function visitorSessions({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('visitor_sessions')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    // Of the account that defined the provider; null for one of the configuration.
    .addColumn('account_id', 'text', (column) => column.references('accounts.id'))
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('provider_generation', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_verified', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('ip', 'text')
    .execute();
  await schema
    .createIndex('visitor_sessions_by_expiry')
    .on('visitor_sessions')
    .column('expires_at')
    .execute();
}
