// What the examination of a type of provider is given, and answers.

import type { Check } from '../domain/check.ts';
import type { ProviderSettings } from '../domain/provider-settings.ts';
import type { OutboundFetch } from './dialler.ts';
import type { Provider } from './provider.ts';

export type Examiner = (settings: ProviderSettings, deps: ExaminerDeps) => Promise<readonly Check[]>;

export type ExaminerDeps = {
  readonly fetch: OutboundFetch;
  readonly now: () => number;
  readonly register: ToRegister;
  /** The provider as logins use it, calling out by this. */
  readonly createLogin: (fetch: OutboundFetch) => Provider;
};

/** What is registered at the provider. Null where the provider has no use for it. */
export type ToRegister = {
  readonly redirectUrl: string;
  readonly backchannelLogoutUrl: string | null;
  /** Only for a provider whose settings send a logout on to it. */
  readonly postLogoutRedirectUrl: string | null;
};
