// Who may use the control plane, as the rooms above see it: members, their logins, and API keys. Every call
// that names a row names its account too; another account's rows are not there.

import type { AccountId, ApiKeyId, InvitationId, MemberId } from '../../domain/id.ts';
import type { Candidate, MemberLogin, Person, Refusal } from '../../domain/member-match.ts';
import type { ProviderLogin } from '../../domain/provider-ref.ts';
import type { ApiKeyOrder, MemberOrder } from '../../domain/list-orders.ts';
import type { KeyScope, Role } from '../../domain/role.ts';
import type { PageIn, RowsInOrder } from '../sorting.ts';
import type { Maker } from './maker.ts';

export type MemberRow = {
  readonly id: MemberId;
  readonly accountId: AccountId;
  readonly email: string;
  readonly role: Role;
  /** What the first login bound the member to; null until then. */
  readonly login: MemberLogin | null;
  readonly createdAt: number;
  readonly acceptedAt: number | null;
  readonly lastLoginAt: number | null;
  /** When the invitation that is open is over; null when none is. */
  readonly invitedUntil: number | null;
};

export type NewInvitation = {
  readonly id: InvitationId;
  /** SHA-256 of the token, hex. The token itself is never kept. */
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/**
 * Sees the member as it is when it is about to be changed, and nobody else can change it. What it throws
 * stops the change.
 */
export type MemberJudge = (member: MemberRow) => void;

export interface MemberTable {
  /**
   * Throws `member_exists` when a member of the account has the address, whatever its case; `limit_reached`
   * when the account has `most` members.
   */
  invite(
    member: Pick<MemberRow, 'id' | 'accountId' | 'email' | 'role' | 'createdAt'> & { readonly by: string },
    invitation: NewInvitation,
    most?: number,
  ): Promise<void>;
  /** A new invitation in the place of any before; null when there is no such member. */
  inviteAgain(
    accountId: AccountId,
    id: MemberId,
    invitation: NewInvitation,
    judge?: MemberJudge,
  ): Promise<MemberRow | null>;
  /** By id or by address. */
  find(accountId: AccountId, named: string): Promise<MemberRow | null>;
  list(accountId: AccountId, page: PageIn<MemberOrder>): Promise<RowsInOrder<MemberRow>>;
  /** At most `most`. */
  count(accountId: AccountId, most: number): Promise<number>;
  /** Those of the addresses, as they compare, that are a member's. */
  among(accountId: AccountId, addresses: readonly string[]): Promise<readonly string[]>;
  /** Null when there is no such member. Throws `last_admin`. */
  changeRole(accountId: AccountId, id: MemberId, role: Role, judge?: MemberJudge): Promise<MemberRow | null>;
  /**
   * API keys, console sessions and invitation go in the same transaction. False when there is none. Throws
   * `last_admin`.
   */
  remove(accountId: AccountId, id: MemberId, judge?: MemberJudge): Promise<boolean>;
  /**
   * The open invitation of that token, of an account that is not suspended; null when it is none, or over.
   */
  findInvitation(hash: string): Promise<OpenInvitation | null>;
}

export type OpenInvitation = {
  readonly id: InvitationId;
  readonly memberId: MemberId;
  readonly accountId: AccountId;
};

export type ConsoleLogin = {
  /** As the provider said it, which is kept. */
  readonly person: Person;
  /** Whether the address alone makes somebody a member who has not logged in before. */
  readonly vouched: boolean;
  /**
   * Only members of this account: for a provider that the account defined. Null for one of the configuration.
   */
  readonly within: AccountId | null;
  /** Only members of the account of this name; null for any. */
  readonly accountName: string | null;
  /** The invitation that the person came with; it is used up. */
  readonly invitation: InvitationId | null;
  /** SHA-256 of the session's token, hex. */
  readonly hash: string;
  readonly createdAt: number;
  /** How long before that the login set out, in milliseconds. */
  readonly ageMs: number;
  readonly expiresAt: number;
  readonly ip: string | null;
  /** The session that this browser had before; it ends. */
  readonly replaces: string | null;
  /** It goes on from that one, and is none when that one has ended. */
  readonly goesOn?: true;
};

export type ConsoleEntry =
  | {
      readonly kind: 'member';
      readonly member: MemberRow;
      readonly accepted: boolean;
      /** The names of API keys that came from the login which the member was bound to before: deleted. */
      readonly endedKeys: readonly string[];
      /** As `endedKeys`, of service tokens. */
      readonly endedTokens: readonly string[];
    }
  | { readonly kind: 'choice'; readonly members: readonly Candidate[] }
  | { readonly kind: 'nobody'; readonly reason: Refusal };

export type NewApiKey = {
  readonly id: ApiKeyId;
  readonly accountId: AccountId;
  readonly name: string;
  /** SHA-256 of the whole key, hex. The key itself is never kept. */
  readonly hash: string;
  /** `secretStart()` of it; none unless said. */
  readonly start?: string | null;
  readonly createdAt: number;
};

export type ApiKeyRow = Omit<NewApiKey, 'hash' | 'start'> & {
  /** Null for one of before these were kept. */
  readonly start: string | null;
  readonly role: Role;
  readonly scope: KeyScope;
  /** Null for one that does not expire. */
  readonly expiresAt: number | null;
  /** Whose it is: it goes with the member, and is never more than the member. Null for an operator's. */
  readonly memberId: MemberId | null;
  /** `member:mem_…`, `api-key:key_…` or `operator`; null for an account's first. */
  readonly createdBy: string | null;
  /** The login at a provider that it came from, and counts no longer than; null when it came from none. */
  readonly login: ProviderLogin | null;
  readonly lastUsedAt: number | null;
};

export type LimitedApiKey = NewApiKey &
  Omit<ApiKeyRow, keyof NewApiKey | 'lastUsedAt' | 'login'> & {
    /** None unless said. */
    readonly login?: ProviderLogin | null;
  };

/** As a caller's key: its role is the lesser of its own and its member's. */
export type KnownApiKey = ApiKeyRow & { readonly accountSuspended: boolean };

export interface ApiKeyTable {
  findByHash(hash: string): Promise<KnownApiKey | null>;
  touch(id: ApiKeyId, at: number): Promise<void>;
  /**
   * Throws `name_taken`; `not_allowed` when the key, member or session that makes it is gone by now. `by` is
   * null for the operator. Throws `limit_reached` when the account has `most` keys.
   */
  create(key: LimitedApiKey, by: Maker | null, most?: number): Promise<void>;
  list(accountId: AccountId, page: PageIn<ApiKeyOrder>): Promise<RowsInOrder<ApiKeyRow>>;
  /** At most `most`. */
  count(accountId: AccountId, most: number): Promise<number>;
  /** A member's own, the newest first, at most so many. */
  ofMember(accountId: AccountId, memberId: MemberId, limit: number): Promise<readonly ApiKeyRow[]>;
  /** By id or by name. */
  find(accountId: AccountId, named: string): Promise<ApiKeyRow | null>;
  /**
   * By id or by name; answers what was deleted, null when there is none. Throws `last_admin` when nobody
   * could act any more.
   */
  remove(accountId: AccountId, named: string): Promise<ApiKeyRow | null>;
  /** Those that came from logins at providers of these names, or at any. */
  ofLogins(providers: readonly string[] | 'all'): Promise<readonly ApiKeyRow[]>;
  /** Those of `ids` that may serve tunnels, whatever their time. */
  serving(ids: readonly ApiKeyId[]): Promise<readonly ApiKeyId[]>;
}
