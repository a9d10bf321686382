// Which shares name a provider: for their login, or in a rule.

import type { ExpressionBuilder } from 'kysely';
import { isProviderName } from '../../domain/provider-name.ts';
import type { Tables } from '../tables.ts';

/** Whether a share names a provider, in any of its columns. */
export function namesProvider(eb: ExpressionBuilder<Tables, 'shares'>, name: string) {
  const own = eb('oauth_provider', '=', name);
  // Whatever else is asked for is no name, and might be read as a pattern.
  return isProviderName(name) ? eb.or([own, eb('rule_providers', 'like', `%,${name},%`)]) : own;
}
