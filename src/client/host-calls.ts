// Calls about host names of their own that shares have.

import { type Call, pathPart, searchQuery } from './call.ts';
import type { HostObject, HostPage, NewHost } from './host-object.ts';

/** `host` is a host or an id. Each throws what the API answers: `host_unknown`, `host_taken`, `host_unproved`… */
export type HostCalls = {
  /** Active at once when the operator has granted it, else pending. */
  readonly create: (host: NewHost) => Promise<HostObject>;
  readonly list: (search?: {
    readonly share?: string;
    readonly cursor?: string | null;
    readonly limit?: number;
  }) => Promise<HostPage>;
  readonly show: (host: string) => Promise<HostObject>;
  /** Looks for the record in the DNS. */
  readonly verify: (host: string) => Promise<HostObject>;
  readonly remove: (host: string) => Promise<void>;
};

export function hostCalls(call: Call): HostCalls {
  return {
    create: async (host) => call('POST', '/v1/hosts', host),
    list: async (search = {}) => call('GET', `/v1/hosts?${searchQuery(search)}`),
    show: async (host) => call('GET', hostPath(host)),
    verify: async (host) => call('POST', `${hostPath(host)}/verification`, {}),
    remove: async (host) => call('DELETE', hostPath(host)),
  };
}

function hostPath(host: string): string {
  return `/v1/hosts/${pathPart(host, 'host_unknown')}`;
}
