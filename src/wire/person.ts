// A person whom the account knows by an email address: what they hold, and the end of all of it.

import type { AccessRequestObject } from './access-request.ts';
import type { ApiKeyObject } from './api-key.ts';
import type { RevocationInput, TokenObject } from './certificate.ts';
import type { MemberObject } from './member.ts';

export type PersonObject = {
  /** Null for who is no member of the account. */
  readonly member: MemberObject | null;
  readonly counts: PersonCounts;
  /** Neither used nor expired. */
  readonly requestTokens: readonly TokenObject[];
  readonly apiKeys: readonly ApiKeyObject[];
  /** In any state, the newest first. */
  readonly accessRequests: readonly AccessRequestObject[];
};

export type PersonCounts = {
  /** Active at shares. */
  readonly sessions: number;
  /** Of the member at the console. */
  readonly consoleSessions: number;
  readonly certificates: number;
  readonly requestTokens: number;
  readonly apiKeys: number;
  /** That the member created. */
  readonly serviceTokens: number;
};

export type EndAccessInput = {
  readonly email: string;
  /** `keep` unless said. */
  readonly membership?: 'keep' | 'remove' | undefined;
  /** Why certificates are revoked; `unspecified` unless said. */
  readonly reason?: RevocationInput['reason'];
};

export type EndedAccessObject = {
  readonly sessions: number;
  readonly consoleSessions: number;
  readonly certificates: readonly NamedThing[];
  readonly requestTokens: readonly NamedThing[];
  readonly apiKeys: readonly NamedThing[];
  readonly serviceTokens: { readonly count: number; readonly deleted: boolean };
  readonly membership: 'none' | 'kept' | 'removed';
};

export type NamedThing = { readonly id: string; readonly name: string };
