// The certificate and key that answer a TLS-ALPN-01 challenge (RFC 8737), made when they are asked for.

import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { randomBytes } from '../domain/secret.ts';
import { challengeCertificate } from '../x509/challenge-certificate.ts';
import { pem } from '../x509/pem.ts';
import { serialFrom } from '../x509/serial.ts';
import { newKey } from './jws.ts';

export type AlpnAnswer = { readonly certificate: string; readonly key: string };

export function alpnAnswer(host: string, authorization: string, now: number): AlpnAnswer {
  const text = newKey().reveal();
  const key = createPrivateKey(text);
  const der = challengeCertificate(
    {
      name: host,
      digest: createHash('sha256').update(authorization).digest(),
      spki: createPublicKey(key).export({ type: 'spki', format: 'der' }),
      serial: serialFrom(randomBytes(16)),
      now,
    },
    (bytes) => sign('sha256', bytes, { key, dsaEncoding: 'der' }),
  );
  return { certificate: pem('CERTIFICATE', der), key: text };
}
