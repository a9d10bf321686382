// The typed caller of the control API (DESIGN 2.5), a set of calls for each collection. Each throws
// `ServiceError` with the API's code, or `control_unreachable`.

import { type Condition, type PageInput, pathPart, searchQuery, type Versioned } from './call.ts';
import { callOf, type ClientOptions, openApi } from './call-api.ts';
import type { PersonSearch, PersonSharesPage, WhoPage } from '../wire/who.ts';
import type { CallerObject } from '../wire/caller.ts';
import { type CertificateCalls, certificateCalls } from './certificate-calls.ts';
import { type OwnCalls, ownCalls } from './own-calls.ts';
import type { GatewayList, GatewayObject } from '../wire/gateway.ts';
import { type HostCalls, hostCalls } from './host-calls.ts';
import { type OperatorCalls, operatorCalls } from './operator-calls.ts';
import { type PersonCalls, personCalls } from './person-calls.ts';
import {
  accountCalls,
  type AccountCalls,
  apiKeyCalls,
  type ApiKeyCalls,
  memberCalls,
  type MemberCalls,
} from './people-calls.ts';
import { type AuditCalls, auditCalls, type SessionCalls, sessionCalls } from './record-calls.ts';
import type { OverviewObject } from '../wire/overview.ts';
import type {
  NewProvider,
  ProviderChanges,
  ProviderNamePage,
  ProviderObject,
  ProviderPage,
} from '../wire/provider.ts';
import type { ProviderTestObject } from '../wire/provider-test.ts';
import type { SettingsObject } from '../wire/settings.ts';
import type { StatusObject } from '../wire/status.ts';
import type { NewShare, ShareChanges, ShareObject, SharePage, ShareSearch } from '../wire/share.ts';
import type { ShareActivityObject } from '../wire/share-activity.ts';
import type { ShareTest, ShareTestInput } from '../wire/share-test.ts';
import { type AccessRequestCalls, accessRequestCalls } from './access-request-calls.ts';
import { type ServiceTokenCalls, serviceTokenCalls } from './service-token-calls.ts';
import { type StateCalls, stateCalls } from './state-calls.ts';
import { type WatchedEvent, watchRequests } from './watch-requests.ts';
import { type WebhookCalls, webhookCalls } from './webhook-calls.ts';

export type Client = {
  /** Who calls, and what they may. */
  readonly caller: () => Promise<CallerObject>;
  readonly status: () => Promise<StatusObject>;
  /** What the operator configured, as far as it concerns the account. */
  readonly settings: () => Promise<SettingsObject>;
  /** Requests and logins of so many hours back, 24 unless said. */
  readonly overview: (hours?: number) => Promise<OverviewObject>;
  /** Those that live, whichever of them answers. */
  readonly gateways: () => Promise<readonly GatewayObject[]>;
  readonly shares: ShareCalls;
  readonly providers: ProviderCalls;
  readonly hosts: HostCalls;
  readonly account: AccountCalls;
  readonly members: MemberCalls;
  readonly apiKeys: ApiKeyCalls;
  readonly serviceTokens: ServiceTokenCalls;
  readonly accessRequests: AccessRequestCalls;
  readonly sessions: SessionCalls;
  readonly people: PersonCalls;
  readonly auditEvents: AuditCalls;
  readonly webhooks: WebhookCalls;
  readonly certificates: CertificateCalls;
  /** All of the account's, at once. */
  readonly state: StateCalls;
  /** One's own things, in a browser. */
  readonly own: OwnCalls;
  /** All accounts and gateways, in a browser. */
  readonly operator: OperatorCalls;
};

/**
 * `share` is a name or an id. Each throws what the API answers: `share_unknown`, `validation_failed`,
 * `name_taken`…
 */
export type ShareCalls = {
  readonly create: (share: NewShare) => Promise<ShareObject>;
  readonly list: (page?: PageInput & ShareSearch) => Promise<SharePage>;
  readonly show: (share: string) => Promise<ShareObject>;
  /** Of so many hours back, 24 unless said. */
  readonly activity: (share: string, hours?: number) => Promise<ShareActivityObject>;
  readonly read: (share: string) => Promise<Versioned<ShareObject>>;
  readonly modify: (share: string, changes: ShareChanges, condition?: Condition) => Promise<ShareObject>;
  readonly remove: (share: string, condition?: Condition) => Promise<void>;
  /** Whether somebody of whom this is said would get in, and why. */
  readonly test: (share: string, input: ShareTestInput, signal?: AbortSignal) => Promise<ShareTest>;
  /** Who of those the account knows could get in. */
  readonly who: (share: string, page?: PageInput) => Promise<WhoPage>;
  /** What somebody could open, of all shares. Throws `certificate_unknown`. */
  readonly ofPerson: (page: PageInput & PersonSearch) => Promise<PersonSharesPage>;
  /** Its requests as they end, until the signal is aborted; throws as `watchRequests()`. */
  readonly watch: (share: string, signal: AbortSignal) => AsyncIterable<WatchedEvent>;
};

/** Definitions of the account. Each throws what the API answers: `provider_unknown`, `provider_in_use`… */
export type ProviderCalls = {
  readonly create: (provider: NewProvider) => Promise<ProviderObject>;
  readonly list: (page?: PageInput) => Promise<ProviderPage>;
  /** What all are called that shares can use. */
  readonly names: (page?: PageInput) => Promise<ProviderNamePage>;
  readonly show: (name: string) => Promise<ProviderObject>;
  readonly read: (name: string) => Promise<Versioned<ProviderObject>>;
  readonly modify: (name: string, changes: ProviderChanges, condition?: Condition) => Promise<ProviderObject>;
  readonly remove: (name: string, condition?: Condition) => Promise<void>;
  /** Calls the provider; takes up to 20 s. */
  readonly test: (name: string) => Promise<ProviderTestObject>;
};

export function createClient(options: ClientOptions): Client {
  const call = callOf(options);
  return {
    caller: async () => call('GET', '/v1/caller'),
    status: async () => call('GET', '/v1/status'),
    settings: async () => call('GET', '/v1/settings'),
    overview: async (hours = 24) => call('GET', `/v1/overview?hours=${hours}`),
    gateways: async () => (await call<GatewayList>('GET', '/v1/gateways')).items,
    shares: {
      create: async (share) => call('POST', '/v1/shares', share),
      list: async (page = {}) => call('GET', `/v1/shares?${searchQuery(page)}`),
      show: async (share) => call('GET', sharePath(share)),
      activity: async (share, hours = 24) => call('GET', `${sharePath(share)}/activity?hours=${hours}`),
      read: async (share) => call.read(sharePath(share)),
      modify: async (share, changes, condition = {}) =>
        call.onlyIf(condition)('PATCH', sharePath(share), changes),
      remove: async (share, condition = {}) => call.onlyIf(condition)('DELETE', sharePath(share)),
      test: async (share, input, signal) => call.until(signal)('POST', `${sharePath(share)}/test`, input),
      who: async (share, page = {}) => call('GET', `${sharePath(share)}/who?${searchQuery(page)}`),
      ofPerson: async (page) => call('GET', `/v1/people/shares?${searchQuery(page)}`),
      watch: (share, signal) =>
        watchRequests((until) => openApi(options, `${sharePath(share)}/requests`, until), signal),
    },
    providers: {
      create: async (provider) => call('POST', '/v1/auth-providers', provider),
      list: async (page = {}) => call('GET', `/v1/auth-providers?${searchQuery(page)}`),
      names: async (page = {}) => call('GET', `/v1/auth-provider-names?${searchQuery(page)}`),
      show: async (name) => call('GET', providerPath(name)),
      read: async (name) => call.read(providerPath(name)),
      modify: async (name, changes, condition = {}) =>
        call.onlyIf(condition)('PATCH', providerPath(name), changes),
      remove: async (name, condition = {}) => call.onlyIf(condition)('DELETE', providerPath(name)),
      test: async (name) => call('POST', `${providerPath(name)}/test`, {}),
    },
    hosts: hostCalls(call),
    account: accountCalls(call),
    members: memberCalls(call),
    apiKeys: apiKeyCalls(call),
    serviceTokens: serviceTokenCalls(call),
    accessRequests: accessRequestCalls(call),
    sessions: sessionCalls(call),
    people: personCalls(call),
    auditEvents: auditCalls(call),
    webhooks: webhookCalls(call),
    certificates: certificateCalls(call),
    state: stateCalls(call),
    own: ownCalls(call),
    operator: operatorCalls(call),
  };
}

function sharePath(share: string): string {
  return `/v1/shares/${pathPart(share, 'share_unknown')}`;
}

function providerPath(name: string): string {
  return `/v1/auth-providers/${pathPart(name, 'provider_unknown')}`;
}
