// Finds the definition that a path names, within the caller's account. Another account's is unknown here.

import type { AccountId } from '../../domain/id.ts';
import type { ProviderDefinition } from '../../domain/provider-definition.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ProviderDefinitionTable } from '../../store/providers/definition.ts';
import type { ShareTable } from '../../store/shares/share.ts';

/** Throws `provider_unknown`. */
export async function findProvider(
  definitions: ProviderDefinitionTable,
  accountId: AccountId,
  name: string,
): Promise<ProviderDefinition> {
  const definition = await definitions.find(accountId, name);
  if (definition === null) throw unknownProvider(name);
  return definition;
}

/** How many of its account's shares log in with it. */
export async function sharesUsing(
  shares: ShareTable,
  { accountId, name }: ProviderDefinition,
): Promise<number> {
  return (await shares.countByProvider(accountId)).get(name) ?? 0;
}

export function unknownProvider(name: string): ServiceError {
  return new ServiceError(
    'provider_unknown',
    `Cannot find provider "${name}": this account defines no provider with that name`,
    {
      hint: 'List them with "doorward provider list". Change providers of the configuration in doorward.yaml.',
    },
  );
}
