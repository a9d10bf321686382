// A share that asks for neither a login nor a client certificate is open to everyone.

import type { CertificateRule } from './client-certificate.ts';

export type Protections = {
  readonly oauthProvider: string | null;
  readonly clientCertificate: CertificateRule | null;
};

/** A provider that does not exist (any more) protects, too: nobody gets in. */
export function isOpenToEveryone({ oauthProvider, clientCertificate }: Protections): boolean {
  return oauthProvider === null && clientCertificate === null;
}
