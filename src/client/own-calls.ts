// Calls about one's own things. They need a login in a browser: no key has any.

import { type Call, type PageInput, pathPart, searchQuery } from './call.ts';
import type {
  MeObject,
  OwnApiKeyList,
  OwnCertificateList,
  OwnCertificateObject,
  OwnRenewal,
  OwnSessionList,
  OwnSharePage,
} from '../wire/own.ts';
import type { DeviceDecisionInput, DeviceLoginObject } from '../wire/device-login.ts';
import type { EndedSessions } from '../wire/session.ts';
import type { RevocationInput } from '../wire/certificate.ts';

/** `q`: part of the name or the description. */
type OwnSharesQuery = PageInput & { readonly q?: string | null };

/** Each throws what the API answers: `session_unknown`, `certificate_unknown`, `renewal_refused`… */
export type OwnCalls = {
  readonly show: () => Promise<MeObject>;
  readonly shares: (page?: OwnSharesQuery) => Promise<OwnSharePage>;
  readonly sessions: () => Promise<OwnSessionList>;
  readonly endSession: (session: string) => Promise<void>;
  readonly endSessions: () => Promise<EndedSessions>;
  readonly certificates: () => Promise<OwnCertificateList>;
  readonly revoke: (certificate: string, input?: RevocationInput) => Promise<OwnCertificateObject>;
  readonly renew: (certificate: string) => Promise<OwnRenewal>;
  /** For members: their own, those of their devices among them. */
  readonly apiKeys: () => Promise<OwnApiKeyList>;
  readonly removeApiKey: (apiKey: string) => Promise<void>;
  /** A device that waits to be logged in, by the code that it shows; for members. */
  readonly findDevice: (userCode: string) => Promise<DeviceLoginObject>;
  readonly decideDevice: (input: DeviceDecisionInput) => Promise<void>;
};

export function ownCalls(call: Call): OwnCalls {
  return {
    show: async () => call('GET', '/v1/me'),
    shares: async ({ q, limit, cursor } = {}) =>
      call('GET', `/v1/me/shares?${searchQuery({ q: q || null, limit, cursor })}`),
    sessions: async () => call('GET', '/v1/me/sessions'),
    endSession: async (session) => call('DELETE', `/v1/me/sessions/${pathPart(session, 'session_unknown')}`),
    endSessions: async () => call('DELETE', '/v1/me/sessions'),
    certificates: async () => call('GET', '/v1/me/certificates'),
    revoke: async (certificate, input = {}) => call('POST', `${at(certificate)}/revoke`, input),
    renew: async (certificate) => call('POST', `${at(certificate)}/renewal`, {}),
    apiKeys: async () => call('GET', '/v1/me/api-keys'),
    removeApiKey: async (apiKey) => call('DELETE', `/v1/me/api-keys/${pathPart(apiKey, 'api_key_unknown')}`),
    findDevice: async (userCode) => call('POST', '/v1/me/device-logins/find', { userCode }),
    decideDevice: async (input) => call('POST', '/v1/me/device-logins/decide', input),
  };
}

function at(certificate: string): string {
  return `/v1/me/certificates/${pathPart(certificate, 'certificate_unknown')}`;
}
