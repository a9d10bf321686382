// How each gateway does, as it says when it says that it lives. A version that does not know it leaves it
// empty.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function gatewayHealth({ schema }: Kysely<Tables>): Promise<void> {
  for (const [name, type] of [
    ['workers_running', 'integer'],
    ['feed_age_ms', 'bigint'],
    ['audit_waiting', 'integer'],
    ['certificate_ends_at', 'bigint'],
  ] as const)
    await schema.alterTable('gateways').addColumn(name, type).execute();
}
