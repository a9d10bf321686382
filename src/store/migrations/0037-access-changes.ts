// With a change of a share, who gets in before and after it: JSON.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function accessChanges({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('audit_events').addColumn('who_gets_in', 'text').execute();
}
