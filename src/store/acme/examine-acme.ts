// How certificates that come by themselves are, for `doorward doctor`. Reads no key.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import type { Tries } from './acme.ts';

export type AcmeExamination = {
  readonly names: readonly ({ readonly name: string; readonly notAfter: number | null } & Tries)[];
  /** Of ACME servers that refused, or did not answer, the last time. */
  readonly servers: readonly ({ readonly directory: string } & Tries)[];
};

export const NO_ACME: AcmeExamination = { names: [], servers: [] };

export async function examineAcme(db: Kysely<Tables>): Promise<AcmeExamination> {
  const names = await db
    .selectFrom('acme_names')
    .select(['name', 'not_after as notAfter', ...TRIES])
    .orderBy('failures', 'desc')
    .orderBy('name')
    .limit(MOST_NAMES)
    .execute();
  const servers = await db
    .selectFrom('acme_accounts')
    .select(['directory', ...TRIES])
    .where('failures', '>', 0)
    .execute();
  return { names, servers };
}

const TRIES = ['failures', 'retry_at as retryAt', 'last_failure as lastFailure'] as const;
/** As many as there may be. */
const MOST_NAMES = 10_000;
