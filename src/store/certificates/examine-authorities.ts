// Whether certificate authorities of accounts end soon, for `doorward doctor`.

import type { Kysely } from 'kysely';
import { AUTHORITY_NOTICE_MS } from '../../domain/authority-end.ts';
import { type Check, passes, warns } from '../../domain/check.ts';
import type { Tables } from '../tables.ts';

/** Of those that issue. Those of suspended accounts count, too: they come back with the account. */
export async function authorityCheck(db: Kysely<Tables>, now: number): Promise<Check> {
  const ending = await db
    .selectFrom('account_cas')
    .innerJoin('accounts', 'accounts.id', 'account_cas.account_id')
    .select(['accounts.name', 'account_cas.not_after'])
    .where('account_cas.retired_at', 'is', null)
    .where('account_cas.not_after', '<=', now + AUTHORITY_NOTICE_MS)
    .orderBy('account_cas.not_after')
    .limit(MOST_NAMED + 1)
    .execute();
  if (ending.length === 0) return passes(NAME, 'none expires within a year');
  const named = ending
    .slice(0, MOST_NAMED)
    .map(({ name, not_after }) => `${name} (${new Date(not_after).toISOString().slice(0, 10)})`);
  return warns(
    NAME,
    `these accounts have one that expires within a year: ${named.join(', ')}${ending.length > MOST_NAMED ? ' and others' : ''}`,
    'Ask an admin of the account to run `doorward ca rotate`. Certificates of both stay valid until the old one expires.',
  );
}

const NAME = 'certificate authorities';
/** Enough to begin with. */
const MOST_NAMED = 5;
