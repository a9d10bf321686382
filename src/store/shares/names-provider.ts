// Which shares name a provider: for their login, or in a rule.

import { type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import { isProviderName } from '../../domain/provider-name.ts';
import type { Tables } from '../tables.ts';

/** Whether a share names a provider, in any of its columns. */
export function namesProvider(eb: ExpressionBuilder<Tables, 'shares'>, name: string) {
  const own = eb('oauth_provider', '=', name);
  // Whatever else is asked for is no name, and might be read as a pattern.
  if (!isProviderName(name)) return own;
  // Several stand there where a version that knows no more than one wrote the row.
  const among = sql<SqlBool>`(',' || oauth_provider || ',') LIKE ${`%,${name},%`}`;
  return eb.or([own, among, eb('rule_providers', 'like', `%,${name},%`)]);
}
