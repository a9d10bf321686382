// A certificate authority and certificates for tests, made by openssl in a temporary folder.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TestPair = { readonly certificate: string; readonly key: string };
export type TestAuthority = {
  /** The authority's own certificate, PEM. */
  readonly ca: string;
  /** A server certificate for these names (`*.share.localhost`), PEM. */
  readonly issue: (names: readonly string[]) => TestPair;
  readonly dispose: () => void;
};

export function createTestAuthority(): TestAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-ca-'));
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Test authority',
  );
  let serial = 0;
  return {
    ca: readFileSync(at('ca.pem'), 'utf8'),
    issue(names) {
      serial += 1;
      const base = `leaf-${serial}`;
      const alternatives = names.map((name) => `DNS:${name}`).join(',');
      writeFileSync(at(`${base}.ext`), `subjectAltName=${alternatives}\nextendedKeyUsage=serverAuth\n`);
      openssl(
        'req',
        ...newKey,
        '-keyout',
        `${base}.key`,
        '-out',
        `${base}.csr`,
        '-subj',
        `/CN=${names[0] ?? ''}`,
      );
      openssl(
        'x509',
        '-req',
        '-in',
        `${base}.csr`,
        '-CA',
        'ca.pem',
        '-CAkey',
        'ca.key',
        '-set_serial',
        String(serial),
        '-days',
        '2',
        '-extfile',
        `${base}.ext`,
        '-out',
        `${base}.pem`,
      );
      return {
        certificate: readFileSync(at(`${base}.pem`), 'utf8'),
        key: readFileSync(at(`${base}.key`), 'utf8'),
      };
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
