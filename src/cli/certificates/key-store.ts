// A key store for devices and browsers (PKCS #12), and the passphrase that it is under. A passphrase comes
// from a file or is typed unseen, or a fresh one is shown once; never from the words of a command, which
// other users of a machine can read.

import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Secret } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { commonNameOf } from '../../x509/common-name.ts';
import { newPassphrase } from '../../x509/passphrase.ts';
import { fromPem } from '../../x509/pem.ts';
import type { KeyStoreForm } from '../../x509/pkcs12-cipher.ts';
import { isPassphrase, pkcs12 } from '../../x509/pkcs12.ts';
import type { Terminal } from '../terminal.ts';

export type Passphrase = { readonly text: Secret; readonly fresh: boolean; readonly form: KeyStoreForm };

/** `from` is a file, `-` to be asked, undefined for a fresh one. Throws `usage` for one that is too short. */
export async function choosePassphrase(
  terminal: Terminal,
  from: string | undefined,
  form: KeyStoreForm,
): Promise<Passphrase> {
  if (from === undefined) return { text: new Secret(newPassphrase()), fresh: true, form };
  const text = from === '-' ? await terminal.readSecret('Passphrase: ') : await readPassphrase(from);
  if (!isPassphrase(text.reveal(), form))
    throw new ServiceError(
      'usage',
      `Cannot use that passphrase: it is not ${LEAST[form]} of printable ASCII`,
      {
        hint: 'Devices read other characters differently. Leave out the option to get a generated passphrase.',
      },
    );
  return { text, fresh: false, form };
}

/** The key store, DER. Certificates are PEM, that of the key first. */
export function keyStoreOf(
  key: KeyObject,
  certificates: readonly string[],
  passphrase: Passphrase,
): Promise<Uint8Array> {
  const ders = certificates.map((certificate) => {
    const der = fromPem('CERTIFICATE', certificate);
    if (der === null)
      throw new ServiceError('internal', 'Cannot write the key store: the answer contained no certificate');
    return der;
  });
  const [leaf = new Uint8Array()] = ders;
  const privateKey = Uint8Array.from(key.export({ format: 'der', type: 'pkcs8' }));
  const store = { name: commonNameOf(leaf) ?? 'certificate', privateKey, certificates: ders };
  return pkcs12(store, passphrase.text.reveal(), passphrase.form);
}

/** One line; its end is no part of it. */
async function readPassphrase(file: string): Promise<Secret> {
  try {
    return new Secret((await readFile(file, 'utf8')).replace(/\r?\n$/, ''));
  } catch (cause) {
    throw new ServiceError('usage', `Cannot read the passphrase: ${file} cannot be read`, { cause });
  }
}

const LEAST = { current: '12 or more', older: '20 or more' } as const;
