// What a person takes home: key and certificates in one file, under a passphrase that is made here and shown
// here alone.

import { commonNameOf } from '../../src/x509/common-name.ts';
import { newPassphrase } from '../../src/x509/passphrase.ts';
import { fromPem } from '../../src/x509/pem.ts';
import { pkcs12 } from '../../src/x509/pkcs12.ts';
import type { KeyStoreForm } from '../../src/x509/pkcs12-cipher.ts';
import type { MadeKey } from './request.ts';

/**
 * One file in each form, under the same passphrase: a device that does not take the one may take the other.
 */
export type PackedKey = {
  readonly files: Readonly<Record<KeyStoreForm, Uint8Array<ArrayBuffer>>>;
  readonly passphrase: string;
};

/** `certificates` are PEM, that of the key first. Throws when they are none. */
export async function packKey(key: MadeKey, certificates: readonly string[]): Promise<PackedKey> {
  const ders = certificates.map(derOf);
  const passphrase = newPassphrase();
  const [leaf = ''] = certificates;
  const store = { name: nameIn(leaf), privateKey: key.privateKey, certificates: ders };
  const [current, older] = await Promise.all([
    pkcs12(store, passphrase, 'current'),
    pkcs12(store, passphrase, 'older'),
  ]);
  return { files: { current, older }, passphrase };
}

/** Whom a certificate is for. */
export function nameIn(certificate: string): string {
  return commonNameOf(derOf(certificate)) ?? 'certificate';
}

/** A name for files, of letters that every device knows. */
export function fileNameFor(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return plain.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'certificate';
}

function derOf(certificate: string): Uint8Array<ArrayBuffer> {
  const der = fromPem('CERTIFICATE', certificate);
  if (der === null) throw new Error('The answer contains no certificate');
  return der;
}
