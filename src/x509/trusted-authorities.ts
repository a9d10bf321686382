// Certificates of authorities that a server is believed by, as PEM.

import { X509Certificate } from 'node:crypto';

/** Why the text is no list of CA certificates; null when it is one. */
export function authoritiesFault(pem: string): string | null {
  if (pem.length > MAX_AUTHORITIES_LENGTH) return `more than ${MAX_AUTHORITIES_LENGTH / 1024} KiB`;
  const blocks = pem.match(BLOCK) ?? [];
  if (blocks.length === 0) return 'no PEM certificate';
  try {
    return blocks.every((block) => new X509Certificate(block).ca)
      ? null
      : 'a certificate that is no CA certificate';
  } catch {
    return 'a certificate that cannot be read';
  }
}

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
/** Some ten authorities with their successors. */
export const MAX_AUTHORITIES_LENGTH = 64 * 1024;
