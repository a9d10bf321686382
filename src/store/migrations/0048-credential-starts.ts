// The first characters of each API key, service token and certificate request token, so that whoever finds
// one can tell which it is. Of those of before nobody knows them.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function credentialStarts({ schema }: Kysely<Tables>): Promise<void> {
  for (const table of ['api_keys', 'service_tokens', 'certificate_request_tokens'] as const)
    await schema.alterTable(table).addColumn('start', 'text').execute();
}
