// Whose certificates a provider's servers may show: the public authorities', or those that its settings name.

import type { UnkeyedSettings } from '../domain/provider-settings.ts';
import type { OutboundFetch } from './dialler.ts';

/** The same calls, to servers that the authorities of the settings stand for. */
export function believing(
  fetch: OutboundFetch,
  { trustedAuthorities = null }: Pick<UnkeyedSettings, 'trustedAuthorities'>,
): OutboundFetch {
  if (trustedAuthorities === null) return fetch;
  return (url, request) => fetch(url, { ...request, trustedAuthorities });
}
