// The `openssl` command: the second opinion on every certificate, and the maker of what other people's tools
// send.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs `openssl` and answers its standard output. Throws what it said when it failed. */
export function openssl(args: readonly string[], input?: string | Uint8Array): Buffer {
  return execFileSync('openssl', args, {
    ...(input === undefined ? {} : { input }),
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** A folder with these files in it, for as long as `use` runs. */
export function withFiles<Result>(
  files: Readonly<Record<string, string | Uint8Array>>,
  use: (path: (name: string) => string) => Result,
): Result {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-openssl-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    return use((name) => join(folder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A key of this kind, and a CSR that it signed, from `openssl`. `args` go to `openssl req`. */
export function opensslCsr(algorithm: readonly string[], args: readonly string[] = []): OpensslCsr {
  const key = openssl(['genpkey', ...algorithm]).toString();
  const csr = withFiles({ 'key.pem': key }, (path) =>
    openssl(['req', '-new', '-key', path('key.pem'), '-subj', '/CN=somebody', ...args]).toString(),
  );
  return { key, csr };
}

export type OpensslCsr = { readonly key: string; readonly csr: string };

export const OPENSSL_ALGORITHMS = {
  'RSA-2048': ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  'RSA-3072': ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:3072'],
  'RSA-4096': ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:4096'],
  'P-256': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  'P-384': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  Ed25519: ['-algorithm', 'ED25519'],
} as const;
