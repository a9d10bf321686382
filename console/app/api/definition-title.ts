// What a provider of the account is called. Apart, since it knows every type of provider: pages that name no
// such provider never load it.

import type { ProviderObject } from '../../../src/wire/provider.ts';
import { displayNameFor } from '../../../src/domain/provider-display-name.ts';
import { typeOfDefinition } from '../../../src/domain/provider-kinds.ts';

/** What can be chosen, and what is known of it. */
export type NamedProvider = {
  readonly name: string;
  readonly displayName: string;
  /** How many shares use it; none for who may know its name alone. */
  readonly shares: number;
  /** What its definition asks of every address, at each share, as far as one may know. */
  readonly emailPatterns: readonly string[];
};

/** As the page that asks visitors for one shows it. */
export function definitionTitle({ name, type, config }: Definition): string {
  return displayNameFor({ name, type: typeOfDefinition(type), displayName: config.displayName });
}

type Definition = Pick<ProviderObject, 'name' | 'type' | 'config'>;
