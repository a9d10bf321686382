// Whether whoever asks about a request is a proxy that may. With a secret, the secret alone says it: what a
// visitor sends through the same proxy comes from the same address.

import { createSecretCheck } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { TrustedProxies } from '../forwarding-headers.ts';
import type { ForwardAuthSettings } from '../messages.ts';
import { SECRET_HEADER } from './account.ts';

export type Asker = {
  readonly address: string;
  /** As it came; several are joined, and so none. */
  readonly secret: string | null;
};

/** Throws `forward_auth_untrusted`. */
export type RequireMayAsk = (asker: Asker) => void;

export function createRequireMayAsk(
  settings: ForwardAuthSettings | null,
  isTrusted: TrustedProxies,
): RequireMayAsk {
  if (settings === null)
    return ({ address }) => {
      if (!isTrusted(address)) throw untrusted('its address is not trusted');
    };
  const isSecret = createSecretCheck(settings.secret);
  return ({ secret }) => {
    if (secret === null || !isSecret(secret))
      throw untrusted(`it does not send the secret as ${SECRET_HEADER}`);
  };
}

function untrusted(found: string): ServiceError {
  return new ServiceError('forward_auth_untrusted', `Cannot answer a proxy: ${found}`, {
    hint: 'See gateway.trusted_proxies and forward_auth in the configuration.',
  });
}
