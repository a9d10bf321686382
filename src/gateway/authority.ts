// An authority of an account, with what the certificates it signed are told by: its key and its name.

import { type KeyObject, X509Certificate } from 'node:crypto';
import type { TrustedAuthority } from '../domain/certificate-trust.ts';

export type Authority = TrustedAuthority & {
  readonly publicKey: KeyObject;
  /** As `X509Certificate.issuer` of what it signed has it. */
  readonly subject: string;
};

export function readAuthority(told: TrustedAuthority): Authority {
  const { publicKey, subject } = new X509Certificate(told.certificate);
  return { ...told, publicKey, subject };
}
