// An account's authorities, its rules for certificates, tokens that are good for one, and what was issued.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function certificates({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('account_cas')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('certificate', 'text', (column) => column.notNull())
    .addColumn('private_key', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('not_after', 'bigint', (column) => column.notNull())
    .addColumn('retired_at', 'bigint')
    .addColumn('crl_number', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('account_cas_by_account')
    .on('account_cas')
    .columns(['account_id', 'id'])
    .execute();
  await schema
    .createTable('certificate_policies')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id'))
    .addColumn('policy', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute();
  await requestTokens(schema);
  await clientCertificates(schema);
}

async function requestTokens(schema: Kysely<Tables>['schema']): Promise<void> {
  await schema
    .createTable('certificate_request_tokens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('validity_ms', 'bigint', (column) => column.notNull())
    .addColumn('api_role', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .addColumn('certificate_id', 'text')
    .execute();
  await schema
    .createIndex('certificate_request_tokens_by_account')
    .on('certificate_request_tokens')
    .columns(['account_id', 'id'])
    .execute();
}

async function clientCertificates(schema: Kysely<Tables>['schema']): Promise<void> {
  await schema
    .createTable('client_certificates')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('ca_id', 'text', (column) => column.notNull().references('account_cas.id'))
    .addColumn('serial', 'text', (column) => column.notNull().unique())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('email_address', 'text')
    .addColumn('fingerprint', 'text', (column) => column.notNull().unique())
    .addColumn('key_hash', 'text', (column) => column.notNull())
    .addColumn('certificate', 'text', (column) => column.notNull())
    .addColumn('not_before', 'bigint', (column) => column.notNull())
    .addColumn('not_after', 'bigint', (column) => column.notNull())
    .addColumn('api_role', 'text')
    .addColumn('allowed_by', 'text', (column) => column.notNull())
    .addColumn('token_id', 'text')
    .addColumn('renewed_from', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .addColumn('revocation_reason', 'text')
    .addColumn('revoked_by', 'text')
    .addColumn('last_used_at', 'bigint')
    .addColumn('last_used_on', 'text')
    .addColumn('last_used_from', 'text')
    .execute();
  await schema
    .createIndex('client_certificates_by_account')
    .on('client_certificates')
    .columns(['account_id', 'id'])
    .execute();
  await schema
    .createIndex('client_certificates_by_email')
    .on('client_certificates')
    .columns(['account_id', 'email_address'])
    .execute();
  await schema
    .createIndex('client_certificates_revoked')
    .on('client_certificates')
    .columns(['ca_id', 'revoked_at', 'id'])
    .execute();
}
