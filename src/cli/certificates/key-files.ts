// The private key of a certificate and what belongs to it, on the disk of whoever uses it. The key is written
// before anything is sent, for its owner alone, and over nothing.

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { ServiceError } from '../../domain/service-error.ts';
import { certificationRequest, type RequestSignature } from '../../x509/csr-writer.ts';
import { pem } from '../../x509/pem.ts';

export const KEY_TYPES = ['p256', 'p384', 'ed25519', 'rsa3072'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

/** A fresh key in a file of mode 0600. Throws `usage` when there is a file of that name. */
export async function writeNewKey(file: string, type: KeyType): Promise<KeyObject> {
  const text = newKeyText(type);
  await writeNew(file, text, 0o600);
  return createPrivateKey(text);
}

/** A fresh key, PKCS #8 as PEM. */
export function newKeyText(type: KeyType): string {
  return newKey(type).export({ format: 'pem', type: 'pkcs8' }).toString();
}

/** Throws `usage` for a file that holds no private key in PEM. */
export async function readKey(file: string): Promise<KeyObject> {
  try {
    return createPrivateKey(await readFile(file));
  } catch (cause) {
    throw new ServiceError('usage', `Cannot use the key of ${file}: it contains no private key in PEM`, {
      cause,
    });
  }
}

/** Throws `usage` when there is a file of that name. */
export async function writeNew(file: string, content: string | Uint8Array, mode: number): Promise<void> {
  try {
    // On the disk before anything is sent: a power cut would lose a key that has a certificate.
    await writeFile(file, content, { mode, flag: 'wx', flush: true });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw thereAlready(file);
    // Half a file would stand in the way of the next try.
    await rm(file, { force: true });
    throw cause;
  }
}

/**
 * Throws `usage` when one of them is there: found out before anything is sent, so that no token is used for
 * nothing.
 */
export async function requireAbsent(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const found = await access(file).then(
      () => true,
      () => false,
    );
    if (found) throw thereAlready(file);
  }
}

function thereAlready(file: string): ServiceError {
  return new ServiceError('usage', `Cannot write ${file}: the file already exists`, {
    hint: 'Doorward overwrites no file: choose another name, or move the file away.',
  });
}

/** A CSR for the key, PEM. Throws `usage` for a key of a kind that gets no certificate. */
export async function requestFor(key: KeyObject): Promise<string> {
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const { signature, hash } = signatureOf(key);
  const der = await certificationRequest(spki, signature, async (bytes) =>
    sign(hash, bytes, { key, dsaEncoding: 'der' }),
  );
  return pem('CERTIFICATE REQUEST', der);
}

function newKey(type: KeyType): KeyObject {
  if (type === 'ed25519') return generateKeyPairSync('ed25519').privateKey;
  if (type === 'rsa3072') return generateKeyPairSync('rsa', { modulusLength: 3072 }).privateKey;
  return generateKeyPairSync('ec', { namedCurve: type === 'p256' ? 'P-256' : 'P-384' }).privateKey;
}

function signatureOf(key: KeyObject): { signature: RequestSignature; hash: string | null } {
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (key.asymmetricKeyType === 'ed25519') return { signature: 'ed25519', hash: null };
  if (key.asymmetricKeyType === 'rsa') return { signature: 'rsa-sha256', hash: 'sha256' };
  if (curve === 'prime256v1') return { signature: 'ecdsa-sha256', hash: 'sha256' };
  if (curve === 'secp384r1') return { signature: 'ecdsa-sha384', hash: 'sha384' };
  throw new ServiceError('usage', 'Cannot use that key: it is neither RSA, P-256, P-384 nor Ed25519');
}
