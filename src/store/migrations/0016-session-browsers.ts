// With what a visitor logged in: the browser's own word, for whoever looks after sessions.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function sessionBrowsers({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('sessions').addColumn('user_agent', 'text').execute();
}
