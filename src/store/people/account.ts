// Accounts as the rooms above see them.

import type { AccountId } from '../../domain/id.ts';
import type { NewAccountCa } from '../certificates/certificate.ts';
import type { NewApiKey } from './people.ts';

export type Account = {
  readonly id: AccountId;
  readonly name: string;
  readonly createdAt: number;
  readonly suspended: boolean;
};

/** How much the account has of what is limited, by the names of the limits. */
export type AccountUsage = Readonly<
  Record<'shares' | 'hosts' | 'providers' | 'members' | 'apiKeys' | 'serviceTokens', number>
>;

export interface AccountTable {
  /**
   * Account, its first admin, that admin's API key and its authority in one transaction. One without an
   * authority gets it when it is first needed. Throws `account_exists`.
   */
  create(account: {
    readonly account: Account;
    readonly adminEmail: string;
    readonly apiKey: NewApiKey;
    readonly authority?: NewAccountCa;
  }): Promise<void>;
  list(): Promise<readonly Account[]>;
  /** By name, from behind `after`. */
  page(of: { readonly after: string | null; readonly limit: number }): Promise<readonly Account[]>;
  find(id: AccountId): Promise<Account | null>;
  findByName(name: string): Promise<Account | null>;
  usage(id: AccountId): Promise<AccountUsage>;
  /**
   * Each of its shares, providers and authorities is announced as changed. False when there is no such
   * account.
   */
  suspend(id: AccountId, suspended: boolean): Promise<boolean>;
  /**
   * Part of `Store.together()`: until that ends, nobody else who holds the account does. For whoever changes
   * it as a whole.
   */
  hold(id: AccountId): Promise<void>;
}
