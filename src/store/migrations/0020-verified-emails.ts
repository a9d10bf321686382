// With a verified address or not: what a rule that comes later is held against. Of sessions from before,
// nothing is known.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function verifiedEmails({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('sessions').addColumn('email_verified', 'integer').execute();
}
