// Whether whoever asks about a request is a proxy that may: with the secret alone. What a visitor sends
// through the same proxy comes from the same address.

import { createSecretCheck } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ForwardAuthSettings } from '../messages.ts';
import { SECRET_HEADER } from './account.ts';

/**
 * Throws `forward_auth_untrusted`. `shown`: what came as `svc-auth-secret`; several are joined, and so none.
 */
export type RequireMayAsk = (shown: string | null) => void;

export function createRequireMayAsk(settings: ForwardAuthSettings | null): RequireMayAsk {
  const isSecret = settings === null ? null : createSecretCheck(settings.secret);
  return (shown) => {
    if (isSecret === null)
      throw untrusted(
        'this gateway has no secret for proxies',
        'Add forward_auth to the configuration: docs/how-to/forward-auth.md.',
      );
    if (shown === null || !isSecret(shown))
      throw untrusted(
        `it does not send the secret as ${SECRET_HEADER}`,
        'See forward_auth in the configuration, and the header in that of the proxy.',
      );
  };
}

function untrusted(found: string, hint: string): ServiceError {
  return new ServiceError('forward_auth_untrusted', `Cannot answer a proxy: ${found}`, { hint });
}
