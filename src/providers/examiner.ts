// What examines providers of one type, and what it is told.

import type { Check } from '../domain/check.ts';
import type { OutboundFetch } from './dialler.ts';
import type { ProviderSettings } from './provider-settings.ts';

export type Examiner = (
  settings: ProviderSettings,
  deps: {
    readonly fetch: OutboundFetch;
    readonly now: () => number;
    readonly register: ToRegister;
  },
) => Promise<readonly Check[]>;

/** What is registered at the provider. Null where the provider has no use for it. */
export type ToRegister = {
  readonly redirectUrl: string;
  readonly backchannelLogoutUrl: string | null;
  /** Only for a provider whose settings send a logout on to it. */
  readonly postLogoutRedirectUrl: string | null;
};
