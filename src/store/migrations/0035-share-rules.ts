// Rules of shares, and their short forms: lists, as JSON. `ruled` keeps what the columns of before must not
// say of such a share, and `rule_providers` which providers it names, with a comma around each.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function shareRules({ schema }: Kysely<Tables>): Promise<void> {
  const columns = ['rules', 'allow_groups', 'allow_paths', 'allow_addresses', 'deny_emails'];
  for (const column of [...columns, 'ruled', 'rule_providers'])
    await schema.alterTable('shares').addColumn(column, 'text').execute();
}
