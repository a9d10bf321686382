// Which session allowed a login by device, and which login at a provider an API key came from: neither counts
// longer than that.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function deviceKeyLogins({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('device_logins').addColumn('session_hash', 'text').execute();
  await schema.alterTable('api_keys').addColumn('login_provider', 'text').execute();
  await schema.alterTable('api_keys').addColumn('login_generation', 'text').execute();
  await schema.alterTable('api_keys').addColumn('login_email_verified', 'integer').execute();
}
