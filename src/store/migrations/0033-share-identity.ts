// What the app behind a share is told of whoever is logged in, beside the address: a list, as JSON.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function shareIdentity({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('shares').addColumn('identity', 'text').execute();
}
