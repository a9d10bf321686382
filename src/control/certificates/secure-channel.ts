// Tokens for certificates, and certificates, are given out over encrypted connections alone (contract 5.4,
// DESIGN 2.6).

import { isSecureUrl } from '../../domain/secure-url.ts';
import { ServiceError } from '../../domain/service-error.ts';

/** Throws `insecure_channel` unless the control plane is served over https, or to this machine alone. */
export function requireSecureChannel(publicUrl: URL): void {
  if (isSecureUrl(publicUrl)) return;
  throw new ServiceError(
    'insecure_channel',
    `Cannot issue certificates: ${publicUrl.origin} is neither https nor on this machine`,
    { hint: 'Serve the control plane over https: set `tls`, and use https in control.public_url.' },
  );
}
