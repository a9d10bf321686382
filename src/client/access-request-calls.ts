// Calls about requests for access.

import type {
  AccessGrantInput,
  AccessRequestObject,
  AccessRequestPage,
  AccessRequestSearch,
} from '../wire/access-request.ts';
import { type Call, type Condition, pathPart, searchQuery, type PageInput } from './call.ts';

/** By id. Each throws what the API answers: `access_request_unknown`, `access_request_decided`… */
export type AccessRequestCalls = {
  readonly list: (page?: PageInput & AccessRequestSearch) => Promise<AccessRequestPage>;
  /** `condition` is about the share. */
  readonly grant: (
    id: string,
    grant: AccessGrantInput,
    condition?: Condition,
  ) => Promise<AccessRequestObject>;
  readonly dismiss: (id: string) => Promise<AccessRequestObject>;
};

export function accessRequestCalls(call: Call): AccessRequestCalls {
  return {
    list: async (page = {}) => call('GET', `/v1/access-requests?${searchQuery(page)}`),
    grant: async (id, grant, condition = {}) =>
      call.onlyIf(condition)('POST', `${requestPath(id)}/grant`, grant),
    dismiss: async (id) => call('POST', `${requestPath(id)}/dismiss`, {}),
  };
}

function requestPath(id: string): string {
  return `/v1/access-requests/${pathPart(id, 'access_request_unknown')}`;
}
