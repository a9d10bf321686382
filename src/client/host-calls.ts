// Calls about host names of their own that shares have.

import type { HostOrder } from '../domain/list-orders.ts';
import {
  type Call,
  type Condition,
  pathPart,
  searchQuery,
  type SortedPageInput,
  type Versioned,
} from './call.ts';
import type { HostObject, HostPage, NewHost } from '../wire/host.ts';

/**
 * `host` is a host or an id. Each throws what the API answers: `host_unknown`, `host_taken`, `host_unproved`…
 */
export type HostCalls = {
  /** Active at once when the operator has granted it, else pending. */
  readonly create: (host: NewHost) => Promise<HostObject>;
  readonly list: (
    search?: SortedPageInput<HostOrder> & { readonly share?: string | undefined },
  ) => Promise<HostPage>;
  readonly show: (host: string) => Promise<HostObject>;
  readonly read: (host: string) => Promise<Versioned<HostObject>>;
  /** Looks for the record in the DNS. */
  readonly verify: (host: string) => Promise<HostObject>;
  readonly remove: (host: string, condition?: Condition) => Promise<void>;
};

export function hostCalls(call: Call): HostCalls {
  return {
    create: async (host) => call('POST', '/v1/hosts', host),
    list: async (search = {}) => call('GET', `/v1/hosts?${searchQuery(search)}`),
    show: async (host) => call('GET', hostPath(host)),
    read: async (host) => call.read(hostPath(host)),
    verify: async (host) => call('POST', `${hostPath(host)}/verification`, {}),
    remove: async (host, condition = {}) => call.onlyIf(condition)('DELETE', hostPath(host)),
  };
}

function hostPath(host: string): string {
  return `/v1/hosts/${pathPart(host, 'host_unknown')}`;
}
