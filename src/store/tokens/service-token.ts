// Service tokens, as the rooms above see them. Every call for an account names it; another account's tokens
// are not there.

import type { ActorText } from '../../domain/actor.ts';
import type { AccountId, ServiceTokenId } from '../../domain/id.ts';
import type { ServiceToken, ServiceTokenUse } from '../../domain/service-token.ts';

/** `shareIds` may name shares that are deleted by now. */
export type ServiceTokenRow = Omit<ServiceToken, 'hash'> & {
  readonly createdAt: number;
  readonly createdBy: ActorText;
  /** To the minute. */
  readonly lastUsedAt: number | null;
};

export type NewServiceToken = Omit<ServiceTokenRow, 'lastUsedAt'> & Pick<ServiceToken, 'hash'>;

export interface ServiceTokenTable {
  /** Throws `name_taken`; `limit_reached` when the account has `most` of them. */
  create(token: NewServiceToken, most?: number): Promise<void>;
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
  /** Those of every account that have not expired, by id, after `after`. */
  good(page: {
    readonly now: number;
    readonly after: ServiceTokenId | null;
    readonly limit: number;
  }): Promise<readonly ServiceToken[]>;
  /** Those of `ids` that are there and have not expired. */
  goodAmong(ids: readonly ServiceTokenId[], now: number): Promise<readonly ServiceToken[]>;
}
