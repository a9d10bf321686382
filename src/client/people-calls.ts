// The calls about who may use the control plane: the account, its members, its API keys.

import type { ApiKeyOrder, MemberOrder } from '../domain/list-orders.ts';
import type { Role } from '../domain/role.ts';
import type { ApiKeyObject, ApiKeyPage, MadeApiKey, NewApiKeyInput } from '../wire/api-key.ts';
import {
  type Call,
  type Condition,
  pathPart,
  searchQuery,
  type SortedPageInput,
  type Versioned,
} from './call.ts';
import type {
  AccountObject,
  InvitationInput,
  InvitedMember,
  MemberObject,
  MemberPage,
  NewMember,
} from '../wire/member.ts';

export type AccountCalls = { readonly show: () => Promise<AccountObject> };

/**
 * `member` is an id or an address. Each throws what the API answers: `member_unknown`, `member_exists`,
 * `last_admin`…
 */
export type MemberCalls = {
  /** The invitation is shown this once. */
  readonly create: (member: NewMember) => Promise<InvitedMember>;
  readonly list: (page?: SortedPageInput<MemberOrder>) => Promise<MemberPage>;
  readonly show: (member: string) => Promise<MemberObject>;
  readonly read: (member: string) => Promise<Versioned<MemberObject>>;
  readonly modify: (
    member: string,
    changes: { readonly role: Role },
    condition?: Condition,
  ) => Promise<MemberObject>;
  /** A new invitation in the place of any before. */
  readonly invite: (member: string, input?: InvitationInput, condition?: Condition) => Promise<InvitedMember>;
  readonly remove: (member: string, condition?: Condition) => Promise<void>;
};

/** Each throws what the API answers: `api_key_unknown`, `name_taken`, `not_allowed`… */
export type ApiKeyCalls = {
  /** The key is shown this once. */
  readonly create: (key: NewApiKeyInput) => Promise<MadeApiKey>;
  readonly list: (page?: SortedPageInput<ApiKeyOrder>) => Promise<ApiKeyPage>;
  /** By name or id, as `remove`. */
  readonly show: (key: string) => Promise<ApiKeyObject>;
  readonly read: (key: string) => Promise<Versioned<ApiKeyObject>>;
  readonly remove: (key: string, condition?: Condition) => Promise<void>;
};

export function accountCalls(call: Call): AccountCalls {
  return { show: async () => call('GET', '/v1/account') };
}

export function memberCalls(call: Call): MemberCalls {
  return {
    create: async (member) => call('POST', '/v1/members', member),
    list: async (page = {}) => call('GET', `/v1/members?${searchQuery(page)}`),
    show: async (member) => call('GET', memberPath(member)),
    read: async (member) => call.read(memberPath(member)),
    modify: async (member, changes, condition = {}) =>
      call.onlyIf(condition)('PATCH', memberPath(member), changes),
    invite: async (member, input = {}, condition = {}) =>
      call.onlyIf(condition)('POST', `${memberPath(member)}/invitation`, input),
    remove: async (member, condition = {}) => call.onlyIf(condition)('DELETE', memberPath(member)),
  };
}

function memberPath(member: string): string {
  return `/v1/members/${pathPart(member, 'member_unknown')}`;
}

export function apiKeyCalls(call: Call): ApiKeyCalls {
  return {
    create: async (key) => call('POST', '/v1/api-keys', key),
    list: async (page = {}) => call('GET', `/v1/api-keys?${searchQuery(page)}`),
    show: async (key) => call('GET', apiKeyPath(key)),
    read: async (key) => call.read(apiKeyPath(key)),
    remove: async (key, condition = {}) => call.onlyIf(condition)('DELETE', apiKeyPath(key)),
  };
}

function apiKeyPath(key: string): string {
  return `/v1/api-keys/${pathPart(key, 'api_key_unknown')}`;
}
