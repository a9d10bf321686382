// What visitors see of a share among their apps. A version that does not know it shows nothing of it.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function shareAppearance({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('shares').addColumn('description', 'text').execute();
  await schema.alterTable('shares').addColumn('icon', 'text').execute();
  await schema.alterTable('shares').addColumn('listed', 'integer').execute();
}
