// Calls about service tokens.

import type {
  MadeServiceToken,
  NewServiceTokenInput,
  ServiceTokenObject,
  ServiceTokenPage,
} from '../wire/service-token.ts';
import { type Call, type Condition, pathPart, searchQuery, type Versioned, type PageInput } from './call.ts';

/** By name or id. Each throws what the API answers: `service_token_unknown`, `name_taken`… */
export type ServiceTokenCalls = {
  /** The token is shown this once. */
  readonly create: (token: NewServiceTokenInput) => Promise<MadeServiceToken>;
  readonly list: (page?: PageInput) => Promise<ServiceTokenPage>;
  readonly show: (token: string) => Promise<ServiceTokenObject>;
  readonly read: (token: string) => Promise<Versioned<ServiceTokenObject>>;
  readonly remove: (token: string, condition?: Condition) => Promise<void>;
};

export function serviceTokenCalls(call: Call): ServiceTokenCalls {
  return {
    create: async (token) => call('POST', '/v1/tokens', token),
    list: async (page = {}) => call('GET', `/v1/tokens?${searchQuery(page)}`),
    show: async (token) => call('GET', tokenPath(token)),
    read: async (token) => call.read(tokenPath(token)),
    remove: async (token, condition = {}) => call.onlyIf(condition)('DELETE', tokenPath(token)),
  };
}

function tokenPath(token: string): string {
  return `/v1/tokens/${pathPart(token, 'service_token_unknown')}`;
}
