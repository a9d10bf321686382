// The clients of the providers that accounts define, with the metadata and keys that they learnt: those that
// were used last, so many of each account and so many of all. One that was forgotten is made again when it is
// needed, and learns again.

import type { AccountId } from '../../domain/id.ts';
import type { Provider } from '../../providers/provider.ts';
import type { Defined } from '../feed/provider-shelf.ts';

export type DefinedClients = {
  /** Throws as `make` does. */
  readonly of: (defined: Defined) => Provider;
  readonly forget: (defined: Defined) => void;
  readonly forgetAll: () => void;
};

export function createDefinedClients(make: (defined: Defined) => Provider): DefinedClients {
  /** Of each account, the one that was used last at the end. */
  const byAccount = new Map<AccountId, Map<Defined, Provider>>();
  let count = 0;

  function forget(defined: Defined): void {
    const { accountId } = defined.kept.definition;
    const own = byAccount.get(accountId);
    if (own?.delete(defined) !== true) return;
    count--;
    if (own.size === 0) byAccount.delete(accountId);
  }

  function forgetOldest(own: ReadonlyMap<Defined, Provider> | undefined): void {
    const [oldest] = own?.keys() ?? [];
    if (oldest !== undefined) forget(oldest);
  }

  return {
    of(defined) {
      const { accountId } = defined.kept.definition;
      const provider = byAccount.get(accountId)?.get(defined) ?? make(defined);
      forget(defined);
      const own = byAccount.get(accountId) ?? new Map<Defined, Provider>();
      byAccount.set(accountId, own.set(defined, provider));
      count++;
      if (own.size > MAX_OF_ACCOUNT) forgetOldest(own);
      // Of whoever has most, so that one account's many take no place from another's few.
      else if (count > MAX_IN_ALL) forgetOldest(largest(byAccount.values()));
      return provider;
    },
    forget,
    forgetAll() {
      byAccount.clear();
      count = 0;
    },
  };
}

function largest<Of extends { readonly size: number }>(all: Iterable<Of>): Of | undefined {
  let most: Of | undefined;
  for (const each of all) if (most === undefined || each.size > most.size) most = each;
  return most;
}

/**
 * More than most accounts have at all; each holds some 10 KiB, and what its provider says can make that 300
 * KiB.
 */
export const MAX_OF_ACCOUNT = 64;
export const MAX_IN_ALL = 512;
