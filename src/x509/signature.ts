// The signature algorithms that a CSR may be signed with: SHA-256 and better (DESIGN "Issuing").

import { verify } from 'node:crypto';
import { DerReader, type DerValue } from './der.ts';
import { OID } from './oid.ts';
import { KeyRefused, type SubjectKey } from './public-key.ts';

type Algorithm = { readonly oid: Uint8Array; readonly hash: string | null; readonly keys: RegExp };

/**
 * AlgorithmIdentifier for what `keys` sign; Ed25519 and ECDSA have no parameters, RSA has null (RFC 4055,
 * 5758, 8410).
 */
const ALGORITHMS: readonly Algorithm[] = [
  { oid: OID.sha256WithRsa, hash: 'sha256', keys: /^RSA$/ },
  { oid: OID.sha384WithRsa, hash: 'sha384', keys: /^RSA$/ },
  { oid: OID.sha512WithRsa, hash: 'sha512', keys: /^RSA$/ },
  { oid: OID.ecdsaWithSha256, hash: 'sha256', keys: /^P-/ },
  { oid: OID.ecdsaWithSha384, hash: 'sha384', keys: /^P-/ },
  { oid: OID.ecdsaWithSha512, hash: 'sha512', keys: /^P-/ },
  { oid: OID.ed25519, hash: null, keys: /^Ed25519$/ },
];

export type Signed = {
  /** What was signed, as it came. */
  readonly bytes: Uint8Array;
  /** The content of an AlgorithmIdentifier. */
  readonly algorithm: DerValue;
  readonly signature: Uint8Array;
};

/** Throws `KeyRefused` unless `subject` signed it with an allowed algorithm. */
export function requireSignature(subject: SubjectKey, { bytes, algorithm, signature }: Signed): void {
  const reader = new DerReader(algorithm.content);
  const { whole } = reader.next();
  const found = ALGORITHMS.find(({ oid }) => Buffer.compare(oid, whole) === 0);
  if (found === undefined || !found.keys.test(subject.kind))
    throw new KeyRefused('a signature that is not of its key with SHA-256, SHA-384 or SHA-512');
  const parameters = reader.atEnd ? null : reader.next();
  reader.end('the signature algorithm');
  const isNull = parameters !== null && Buffer.compare(parameters.whole, NULL) === 0;
  if (parameters !== null && !(subject.kind === 'RSA' && isNull))
    throw new KeyRefused('a signature algorithm with parameters');
  if (!isTrue(subject, { hash: found.hash, bytes, signature }))
    throw new KeyRefused('a signature that its key did not make');
}

function isTrue(
  { key }: SubjectKey,
  { hash, bytes, signature }: { hash: string | null; bytes: Uint8Array; signature: Uint8Array },
): boolean {
  try {
    return verify(hash, bytes, { key, dsaEncoding: 'der' }, signature);
  } catch {
    return false;
  }
}

const NULL = Uint8Array.of(5, 0);
