// Shares that agents serve: kept ones and ephemeral ones, and when an agent was last there. Their `target` is
// empty.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function tunnelShares({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('shares').addColumn('tunnel', 'text').execute();
  await schema.alterTable('shares').addColumn('agent_seen_at', 'bigint').execute();
}
