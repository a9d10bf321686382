// What the app behind a share is told as Host; null for the visitor's.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function shareHostHeader({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('shares').addColumn('host_header', 'text').execute();
}
