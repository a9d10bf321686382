// What operators see, in a browser: a call of anybody else is refused.

import type { OperatedAccountDetail, OperatedAccountPage, ServiceHealth } from '../wire/operator.ts';
import { type Call, type PageInput, pathPart, searchQuery } from './call.ts';

/** Each throws what the API answers: `not_allowed`, `account_unknown`. */
export type OperatorCalls = {
  readonly accounts: (page?: PageInput) => Promise<OperatedAccountPage>;
  /** By its name or id. */
  readonly account: (account: string) => Promise<OperatedAccountDetail>;
  readonly health: () => Promise<ServiceHealth>;
};

export function operatorCalls(call: Call): OperatorCalls {
  return {
    accounts: async (page = {}) => call('GET', `/v1/operator/accounts?${searchQuery(page)}`),
    account: async (account) => call('GET', `/v1/operator/accounts/${pathPart(account, 'account_unknown')}`),
    health: async () => call('GET', '/v1/operator/health'),
  };
}
