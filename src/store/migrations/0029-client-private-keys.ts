// The private key of a definition's client, beside its secret.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function clientPrivateKeys({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('provider_definitions').addColumn('client_private_key', 'text').execute();
}
