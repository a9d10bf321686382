// A throw-away certificate for TLS in tests, made by openssl: P-256, one day, for the names given.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TestCertificate = { readonly certificate: string; readonly key: string };

export function makeCertificate(names: readonly string[]): TestCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const keyFile = join(folder, 'key.pem');
  const certificateFile = join(folder, 'certificate.pem');
  try {
    const subjectAltName = `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`;
    execFileSync(
      'openssl',
      [
        ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
        ['-subj', `/CN=${names[0]}`, '-addext', subjectAltName, '-keyout', keyFile, '-out', certificateFile],
      ].flat(),
      { stdio: 'ignore' },
    );
    return { certificate: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
