// Calls about what happens: sessions and the audit log.

import type { AuditPageObject, AuditSearch } from '../wire/audit-event.ts';
import { type Call, pathPart, searchQuery } from './call.ts';
import type { EndedSessions, SessionGroup, SessionPage, SessionSearch } from '../wire/session.ts';

/** Each throws what the API answers: `session_unknown`, `share_unknown`… */
export type SessionCalls = {
  readonly list: (search?: SessionSearch) => Promise<SessionPage>;
  /** By its id. */
  readonly end: (session: string) => Promise<void>;
  readonly endAll: (of: SessionGroup) => Promise<EndedSessions>;
};

export type AuditCalls = { readonly list: (search?: AuditSearch) => Promise<AuditPageObject> };

export function sessionCalls(call: Call): SessionCalls {
  return {
    list: async (search = {}) => call('GET', `/v1/sessions?${searchQuery(search)}`),
    end: async (session) => call('DELETE', `/v1/sessions/${pathPart(session, 'session_unknown')}`),
    endAll: async (of) => call('DELETE', `/v1/sessions?${searchQuery(of)}`),
  };
}

export function auditCalls(call: Call): AuditCalls {
  return { list: async (search = {}) => call('GET', `/v1/audit-events?${searchQuery(search)}`) };
}
