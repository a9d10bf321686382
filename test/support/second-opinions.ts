// What other people's parsers make of certificates: Python's `cryptography` and Go, where they are installed.
// OpenSSL, in Node and on the command line, is asked elsewhere.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { NO_GO } from './go.ts';

export type Opinion = {
  readonly version: number;
  /** As RFC 4514 writes it. */
  readonly subject: string;
  /** Upper-case hex. */
  readonly serial: string;
  /** Seconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly key: string;
  readonly ca: boolean;
  readonly usages: readonly string[];
  readonly clientAuthOnly: boolean;
  readonly emails: readonly string[];
  /** Object identifiers, sorted. */
  readonly extensions: readonly string[];
  readonly critical: readonly string[];
  readonly revoked: boolean;
};

export type SecondOpinion = {
  readonly name: string;
  /** Why it cannot be asked; false when it can. */
  readonly skip: string | false;
  /**
   * Of a folder with `ca.pem`, `crl.pem` and `leaf-*.pem`, each leaf by its name. Throws for what it refuses.
   */
  readonly ask: (folder: string) => Readonly<Record<string, Opinion>>;
};

export const SECOND_OPINIONS: readonly SecondOpinion[] = [
  {
    name: 'Python cryptography',
    skip: works('python3', ['-c', 'from cryptography import x509; x509.Certificate.not_valid_before_utc'])
      ? false
      : 'python3 with cryptography 42 or newer is not installed',
    ask: (folder) => ask('python3', [join(import.meta.dirname, 'opinions/opinion.py'), folder]),
  },
  {
    name: 'Go crypto/x509',
    skip: NO_GO,
    ask: (folder) => ask('go', ['run', join(import.meta.dirname, 'opinions/opinion.go'), folder]),
  },
];

/** The strict verifier of Python's `cryptography`, which goes by the profile of the CA/Browser Forum. */
export const STRICT_VERIFIER = {
  skip: works('python3', [
    '-c',
    'from cryptography.x509.verification import PolicyBuilder as P; P.build_client_verifier',
  ])
    ? false
    : 'python3 with cryptography 45 or newer is not installed',
  /** The kinds of the leaf's alternative names. Throws for a leaf that it refuses. */
  names: (ca: string, leaf: string): string => {
    const args = [join(import.meta.dirname, 'opinions/strict.py'), ca, leaf];
    const { status, stdout, stderr } = spawnSync('python3', args, { encoding: 'utf8', timeout: LIMIT_MS });
    if (status !== 0) throw new Error(`python3 refuses: ${stderr}`);
    return stdout.trim();
  },
} as const;

function works(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0;
}

function ask(program: string, args: readonly string[]): Readonly<Record<string, Opinion>> {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: LIMIT_MS });
  if (status !== 0) throw new Error(`${program} refuses: ${stderr}`);
  return JSON.parse(stdout) as Readonly<Record<string, Opinion>>;
}

/** Go compiles first. */
const LIMIT_MS = 180_000;
