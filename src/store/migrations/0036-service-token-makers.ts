// Whose a service token is, and which login at a provider it came from: it counts no longer than either, as
// an API key does.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function serviceTokenMakers({ schema }: Kysely<Tables>): Promise<void> {
  for (const column of ['member_id', 'login_provider', 'login_generation'])
    await schema.alterTable('service_tokens').addColumn(column, 'text').execute();
  await schema.alterTable('service_tokens').addColumn('login_email_verified', 'integer').execute();
}
