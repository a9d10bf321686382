// Provider definitions of accounts as the rooms above see them: the credential is opened only when it is
// needed.

import type { ClientCredential } from '../../domain/client-credential.ts';
import type { AccountId, ProviderDefinitionId } from '../../domain/id.ts';
import type { DefinitionConfig, ProviderDefinition } from '../../domain/provider-definition.ts';
import type { DefinitionType } from '../../domain/provider-kinds.ts';

export type StoredDefinition = ClientCredential & { readonly definition: ProviderDefinition };

/**
 * As it is read. Most wait unused: the credential is opened when it is needed. Throws `internal` as any that
 * cannot be opened.
 */
export type UsableDefinition = {
  readonly definition: ProviderDefinition;
  readonly openCredential: () => ClientCredential;
};

export interface ProviderDefinitionTable {
  /**
   * Throws `name_taken` when another has the name, or it once belonged to another account; `limit_reached`
   * when the account has `most` definitions.
   */
  create(stored: StoredDefinition, most?: number): Promise<void>;
  find(accountId: AccountId, name: string): Promise<ProviderDefinition | null>;
  list(
    accountId: AccountId,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly ProviderDefinition[]>;
  /** Every definition of every account that is not suspended: what logins are made with. */
  all(): Promise<readonly UsableDefinition[]>;
  /** As `all`, those of these that are there, in no order. */
  among(ids: readonly ProviderDefinitionId[]): Promise<readonly UsableDefinition[]>;
  /**
   * By id. Null when there is no such definition. `become` sees it as it is and says what it becomes, as
   * `settings` of `ShareTable.modify`.
   */
  modify(change: {
    readonly accountId: AccountId;
    readonly id: ProviderDefinitionId;
    readonly become: (definition: ProviderDefinition) => ChangedDefinition;
    /** Null keeps it. */
    readonly credential: ClientCredential | null;
    readonly at: number;
  }): Promise<ProviderDefinition | null>;
  /**
   * By id. False when there is none. Throws `provider_in_use` with the shares that use it, and what `judge`
   * throws.
   */
  remove(
    accountId: AccountId,
    id: ProviderDefinitionId,
    judge?: (definition: ProviderDefinition) => void,
  ): Promise<boolean>;
}

export type ChangedDefinition = {
  readonly type: DefinitionType;
  readonly config: DefinitionConfig;
  /**
   * It is another identity source from now on: sessions made at the former one end in the same transaction.
   */
  readonly endsSessions: boolean;
};
