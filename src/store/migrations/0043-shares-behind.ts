// Shares whose app stays behind a proxy of its own: they have no target, so a version that does not know them
// reaches nothing.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function sharesBehind({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('shares').addColumn('behind', 'integer').execute();
}
