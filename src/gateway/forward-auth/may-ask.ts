// Whether whoever asks about a request is a proxy that may. With a secret, the secret alone says it: what a
// visitor sends through the same proxy comes from the same address.

import { constantTimeEqual } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { valuesOf } from '../flat-headers.ts';
import type { TrustedProxies } from '../forwarding-headers.ts';
import type { ForwardAuthSettings } from '../messages.ts';
import { SECRET_HEADER } from './account.ts';

export type Asker = { readonly address: string; readonly rawHeaders: readonly string[] };

/** Throws `forward_auth_untrusted`. */
export function requireMayAsk(
  { address, rawHeaders }: Asker,
  settings: ForwardAuthSettings | null,
  isTrusted: TrustedProxies,
): void {
  const shown = valuesOf(rawHeaders, SECRET_HEADER);
  const may =
    settings === null
      ? isTrusted(address)
      : shown.length === 1 && constantTimeEqual(shown[0]!, settings.secret);
  if (may) return;
  throw new ServiceError(
    'forward_auth_untrusted',
    settings === null
      ? 'Cannot answer a proxy: its address is not trusted'
      : `Cannot answer a proxy: it does not send the secret as ${SECRET_HEADER}`,
    { hint: 'See gateway.trusted_proxies and forward_auth in the configuration.' },
  );
}
