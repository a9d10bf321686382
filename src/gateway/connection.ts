// What a connection says of whoever opened it, once for all requests on it: which policy for client
// certificates its handshake went by, and the certificate that it brought.

import type { AccountId } from '../domain/id.ts';
import type { PresentedCertificate } from './presented-certificate.ts';

/**
 * Whose certificates are asked for: nobody's, those of one account, or for the control API and for agents
 * those of all.
 */
export type ClientPolicy = 'none' | 'control' | 'tunnel' | AccountId;

export type Connection = {
  /** Null where TLS is not ended here: no policy can be told from the handshake. */
  readonly policy: ClientPolicy | null;
  readonly certificate: PresentedCertificate | null;
};

export const PLAIN_CONNECTION: Connection = { policy: null, certificate: null };
export const CONNECTION_OF_NOBODY: Connection = { policy: 'none', certificate: null };
