// The login of a share that itself names one provider.

import type { ProviderRef } from '../../src/domain/provider-ref.ts';
import type { Share, ShareLogin } from '../../src/domain/share.ts';

export type OneLogin = {
  readonly providerName: string;
  readonly provider: ProviderRef | null;
} & Pick<ShareLogin, 'emailPatterns' | 'checkIntervalMs'>;

export function shareLogin({ providerName: name, provider, ...more }: OneLogin): ShareLogin {
  return { providers: [{ name, provider }], named: [name], ...more };
}

/** The login of such a share after its provider changed, or went. */
export function loginWith({ login }: Share, change: Partial<ProviderRef> | null): ShareLogin {
  const [first] = login!.providers;
  const provider = change === null ? null : { ...first!.provider!, ...change };
  return { ...login!, providers: [{ name: first!.name, provider }] };
}
