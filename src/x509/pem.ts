// PEM (RFC 7468): a label, base64 in lines of 64, the label again.

/** DER as PEM, with a line break at its end. */
export function pem(label: 'CERTIFICATE' | 'X509 CRL' | 'CERTIFICATE REQUEST', der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
