// What the code of a type of provider is given beside its settings.

import type { OutboundFetch } from './dialler.ts';

export type ProviderDeps = {
  /** Calls out, within the limits of whoever named the provider. */
  readonly fetch: OutboundFetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};
