// The definitions of all accounts, by id, name and account. Never opens a secret, never makes a client.

import type { AccountId, ProviderDefinitionId } from '../../domain/id.ts';
import type { ProviderDefinition } from '../../domain/provider-definition.ts';
import { typeOfDefinition } from '../../domain/provider-kinds.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import type { UnkeyedSettings } from '../../domain/provider-settings.ts';
import { refOfSettings } from '../../providers/create.ts';
import type { UsableDefinition } from '../../store/providers/definition.ts';

export type Defined = {
  kept: UsableDefinition;
  readonly ref: ProviderRef;
};

/** `before`: what the definition was until now; null for a new one. */
export type Replaced = { readonly name: string; readonly before: Defined | null };

export type Shelf = {
  readonly named: (name: string) => Defined | undefined;
  readonly refsOf: (accountId: AccountId) => readonly ProviderRef[];
  readonly ids: () => readonly ProviderDefinitionId[];
  /** Each answers whose provider is another now; nothing when it is as it was. */
  readonly put: (kept: UsableDefinition) => readonly Replaced[];
  readonly remove: (id: ProviderDefinitionId) => readonly Replaced[];
};

export function createShelf(): Shelf {
  const byId = new Map<ProviderDefinitionId, Defined>();
  const byName = new Map<string, Defined>();
  const byAccount = new Map<AccountId, Set<Defined>>();

  function take(id: ProviderDefinitionId): Defined | undefined {
    const found = byId.get(id);
    if (found === undefined) return undefined;
    const { name, accountId } = found.kept.definition;
    byId.delete(id);
    // Deleted and made again: the name may be another's by now.
    if (byName.get(name) === found) byName.delete(name);
    const ofAccount = byAccount.get(accountId);
    ofAccount?.delete(found);
    if (ofAccount?.size === 0) byAccount.delete(accountId);
    return found;
  }

  function place(defined: Defined): void {
    const { id, name, accountId } = defined.kept.definition;
    byId.set(id, defined);
    byName.set(name, defined);
    const ofAccount = byAccount.get(accountId) ?? new Set();
    byAccount.set(accountId, ofAccount.add(defined));
  }

  return {
    named: (name) => byName.get(name),
    refsOf: (accountId) => Array.from(byAccount.get(accountId) ?? [], ({ ref }) => ref),
    ids: () => [...byId.keys()],
    put(kept) {
      const { definition } = kept;
      const former = byId.get(definition.id);
      if (former?.kept.definition.version === definition.version) {
        // What was learnt of it (metadata, keys) stays; its secret may be sealed again.
        former.kept = kept;
        return [];
      }
      take(definition.id);
      place({ kept, ref: refOfSettings(unkeyedSettings(definition)) });
      return [{ name: definition.name, before: former ?? null }];
    },
    remove(id) {
      const gone = take(id);
      return gone === undefined ? [] : [{ name: gone.kept.definition.name, before: gone }];
    },
  };
}

export function unkeyedSettings(definition: ProviderDefinition): UnkeyedSettings {
  const { issuerUrl, ...config } = definition.config;
  const type = typeOfDefinition(definition.type);
  return { ...config, name: definition.name, type, issuer: issuerUrl, accountId: definition.accountId };
}
