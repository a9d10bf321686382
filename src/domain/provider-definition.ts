// A provider as an account defines it (contract 2.4, DESIGN 2.1), with everything that the type takes for
// granted filled in. The client secret is kept apart: it is written and never read back.

import type { AccountId, ProviderDefinitionId } from './id.ts';
import type { ProviderValues } from './provider-fields.ts';
import type { DefinitionType } from './provider-kinds.ts';

export type ProviderDefinition = {
  readonly id: ProviderDefinitionId;
  readonly accountId: AccountId;
  /** Unique in the whole service: it is in URLs. */
  readonly name: string;
  readonly type: DefinitionType;
  readonly config: DefinitionConfig;
  /** Starts at 1 and grows by one with each change: the ETag. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type DefinitionConfig = ProviderValues & { readonly clientId: string };
