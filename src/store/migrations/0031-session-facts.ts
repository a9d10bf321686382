// What the provider said of the person at the login or the last check, as JSON: groups, claims, how strong
// the login was. Of sessions from before, nothing is known.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function sessionFacts({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('sessions').addColumn('facts', 'text').execute();
}
