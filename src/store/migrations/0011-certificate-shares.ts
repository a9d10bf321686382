// What a share asks of client certificates, as JSON; and whether a certificate or a login is enough. Null:
// nothing, and both.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function certificateShares({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('shares').addColumn('client_certificate', 'text').execute();
  await schema.alterTable('shares').addColumn('access', 'text').execute();
}
