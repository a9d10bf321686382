// Service tokens, as the rooms above see them. Every call for an account names it; another account's tokens
// are not there.

import type { ActorText } from '../../domain/actor.ts';
import type { AccountId, MemberId, ServiceTokenId } from '../../domain/id.ts';
import type { ProviderLogin } from '../../domain/provider-ref.ts';
import type { ServiceToken, ServiceTokenUse } from '../../domain/service-token.ts';
import type { Maker } from '../people/maker.ts';

/** `shareIds` may name shares that are deleted by now. */
export type ServiceTokenRow = Omit<ServiceToken, 'hash'> & {
  /** `secretStart()` of it; null for one of before these were kept. */
  readonly start: string | null;
  readonly createdAt: number;
  readonly createdBy: ActorText;
  /** Whose it is: it goes with the member. Null where no member made it, or their key. */
  readonly memberId: MemberId | null;
  /** The login at a provider that it came from, and counts no longer than; null when it came from none. */
  readonly login: ProviderLogin | null;
  /** To the minute. */
  readonly lastUsedAt: number | null;
};

/** No `start` unless said. */
export type NewServiceToken = Omit<ServiceTokenRow, 'lastUsedAt' | 'start'> &
  Partial<Pick<ServiceTokenRow, 'start'>> &
  Pick<ServiceToken, 'hash'>;

/** With the login that says whether it counts. */
export type ServiceTokenOfLogin = ServiceToken & Pick<ServiceTokenRow, 'login'>;

export interface ServiceTokenTable {
  /**
   * Throws `name_taken`; `not_allowed` when the key or the member that makes it is gone by now;
   * `limit_reached` when the account has `most` of them.
   */
  create(token: NewServiceToken, by: Maker | null, most?: number): Promise<void>;
  /** A page of an account's tokens by name, after `after`. */
  list(
    accountId: AccountId,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly ServiceTokenRow[]>;
  /** By id or by name. */
  find(accountId: AccountId, named: string): Promise<ServiceTokenRow | null>;
  /** By id or by name; answers what was deleted, null when there is none. */
  remove(accountId: AccountId, named: string): Promise<ServiceTokenRow | null>;
  /** Notes when they were used, to the minute. */
  seen(uses: readonly ServiceTokenUse[]): Promise<void>;
  /** Those of every account that have not expired and whose member is there, by id, after `after`. */
  good(page: {
    readonly now: number;
    readonly after: ServiceTokenId | null;
    readonly limit: number;
  }): Promise<readonly ServiceTokenOfLogin[]>;
  /** Of these, those that `good` has. */
  goodAmong(ids: readonly ServiceTokenId[], now: number): Promise<readonly ServiceTokenOfLogin[]>;
  /** Those that these members made, whether they count or not. */
  idsOfMembers(ids: readonly MemberId[]): Promise<readonly ServiceTokenId[]>;
  /** Of those that `good` has, those that came from logins at providers of these names, or at any. */
  ofLogins(providers: readonly string[] | 'all', now: number): Promise<readonly ServiceTokenOfLogin[]>;
}
