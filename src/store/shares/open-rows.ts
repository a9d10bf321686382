// Which shares are open to everyone, as the database can tell: what `isOpenToEveryone()` says of one.
// Networks and denied addresses alone ask nobody who they are.

import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import { OPENING_RULE } from '../../domain/open-share.ts';
import type { Tables } from '../tables.ts';
import { NO_PROVIDER, RULED_OPEN } from './ruled-columns.ts';

export function isOpenRow(eb: ExpressionBuilder<Tables, 'shares'>): Expression<SqlBool> {
  const plain = eb.and([eb('oauth_provider', 'is', null), eb('client_certificate', 'is', null)]);
  const guarded = eb.and([eb('oauth_provider', '=', NO_PROVIDER), eb('ruled', '=', RULED_OPEN)]);
  const noRules = sql<SqlBool>`COALESCE(${sql.ref('rules')}, '[]') = '[]'`;
  const opened = sql<SqlBool>`${sql.ref('rules')} LIKE ${`%${OPENING_RULE}%`}`;
  // Whoever set one there, in a version that knows no rules, has it asked of everybody.
  const certified = eb.and([
    eb('oauth_provider', '=', NO_PROVIDER),
    eb('client_certificate', 'is not', null),
  ]);
  return eb.and([eb.or([eb.and([eb.or([plain, guarded]), noRules]), opened]), eb.not(certified)]);
}
