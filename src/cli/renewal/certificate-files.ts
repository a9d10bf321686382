// The files of a certificate that is renewed: read, and replaced each in one step, so that a crash at any moment leaves the old
// pair, the new one, or a new key beside its certificate that only waits for its name.
//
//   x.key.pem.next ──► x.cert.pem.next ──► x.key.pem ──► x.cert.pem
//   (before asking)    (the answer)        (renamed)     (renamed)

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import type { ClientCertificate } from '../../client/send.ts';
import { type CertificateFiles, prefixOf, readClientCertificate, readPem } from '../client-certificate.ts';
import { KEY_TYPES, type KeyType, readKey, writeNewKey } from '../key-files.ts';

export type HeldFiles = CertificateFiles & {
  /** Where the authority's certificate is written; null where there is no such file. */
  readonly chain: string | null;
};

export type Held = {
  readonly pair: ClientCertificate;
  readonly certificate: X509Certificate;
  /** Whether the file holds the chain, too. */
  readonly withChain: boolean;
};

/** What is there now, after whatever a crash left was brought to its end. Throws `usage`. */
export async function readHeld(files: HeldFiles): Promise<Held> {
  await finish(files);
  const pair = await readClientCertificate(files);
  const withChain = pair.certificate.split('-----BEGIN CERTIFICATE-----').length > 2;
  return { pair, certificate: readPem(pair.certificate, files.certificate), withChain };
}

export async function chainFileOf(certificate: string): Promise<string | null> {
  if (!certificate.endsWith('.cert.pem')) return null;
  const file = `${prefixOf(certificate)}.chain.pem`;
  return (await modeOf(file)) === null ? null : file;
}

/** A new key of the same kind, kept until its certificate came: a try after a crash asks for the same. */
export async function nextKey({ key }: HeldFiles, pair: ClientCertificate): Promise<KeyObject> {
  const file = nextOf(key);
  if ((await modeOf(file)) !== null) return readKey(file);
  return writeNewKey(file, typeOf(createPrivateKey(pair.key.reveal())));
}

/** The certificate comes first under its next name, then the key takes its place, then the certificate. */
export async function replace(
  files: HeldFiles,
  texts: { readonly certificate: string; readonly chain: string },
): Promise<void> {
  if (files.chain !== null) await writeInPlace(files.chain, texts.chain);
  const mode = (await modeOf(files.certificate)) ?? 0o644;
  await writeFile(nextOf(files.certificate), texts.certificate, { mode, flush: true });
  if ((await modeOf(nextOf(files.key))) !== null) await rename(nextOf(files.key), files.key);
  await rename(nextOf(files.certificate), files.certificate);
}

/** A certificate that waits for its name and fits the key is the newer one. */
async function finish({ certificate, key }: HeldFiles): Promise<void> {
  if ((await modeOf(nextOf(certificate))) === null) return;
  const [now, next] = [await readFile(certificate), await readFile(nextOf(certificate))];
  const own = createPrivateKey(await readFile(key));
  if (fits(next, own) && !fits(now, own)) await rename(nextOf(certificate), certificate);
}

function fits(pem: Buffer, key: KeyObject): boolean {
  try {
    return new X509Certificate(pem).checkPrivateKey(key);
  } catch {
    // Written only in part.
    return false;
  }
}

async function writeInPlace(file: string, text: string): Promise<void> {
  const mode = (await modeOf(file)) ?? 0o644;
  await writeFile(nextOf(file), text, { mode, flush: true });
  await rename(nextOf(file), file);
}

/** Null when there is no such file. */
async function modeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).mode & 0o777;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function typeOf(key: KeyObject): KeyType {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'rsa') return 'rsa3072';
  if (type === 'ed25519') return 'ed25519';
  return details?.namedCurve === 'secp384r1' ? 'p384' : KEY_TYPES[0];
}

function nextOf(file: string): string {
  return `${file}.next`;
}
