// Who answers for a share. A version that does not know it shows nothing of it.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function shareOwner({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('shares').addColumn('owner', 'text').execute();
}
