// The files of a certificate that is renewed: read, and replaced each in one step, so that a crash at any
// moment leaves the old pair, the new one, or a new pair that only waits for its names. No key is put in
// place, or given up, but for its certificate.
//
//   x.key.pem.next ──► x.cert.pem.next ──► x.key.pem ──► x.cert.pem
//   (before asking)    (the answer)        (renamed)     (renamed)

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import type { ClientCertificate } from '../../../client/send.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import {
  type CertificateFiles,
  prefixOf,
  readClientCertificate,
  readPem,
} from '../../login/client-certificate.ts';
import { KEY_TYPES, type KeyType, newKeyText, readKey } from '../key-files.ts';
import { putInPlace, requireOwnable, standingOf, writeUnlessThere, writeWhole } from './placed-file.ts';

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
  return (await standingOf(file)) === null ? null : file;
}

/** Before anything is asked for. Throws `usage` where one of the files could not stay its owner's. */
export async function requireReplaceable({ certificate, key, chain }: HeldFiles): Promise<void> {
  for (const file of [certificate, key, chain]) if (file !== null) await requireOwnable(file);
}

/** A new key of the same kind, kept until its certificate came: a try after a crash asks for the same. */
export async function nextKey({ key }: HeldFiles, pair: ClientCertificate): Promise<KeyObject> {
  const file = nextOf(key);
  if ((await standingOf(file)) === null)
    await writeUnlessThere(file, newKeyText(typeOf(createPrivateKey(pair.key.reveal()))));
  return readKey(file);
}

/** One that gets no certificate, now or ever: the next try makes another. */
export async function dropNextKey({ key }: HeldFiles): Promise<void> {
  await rm(nextOf(key), { force: true });
}

/**
 * Puts the certificate in place, and the waiting key with it if it is that key's; a key that waits for
 * another certificate goes on waiting. Throws `internal`, and replaces nothing, when the certificate is of
 * neither key.
 */
export async function replace(
  files: HeldFiles,
  texts: { readonly certificate: string; readonly chain: string },
): Promise<void> {
  const { certificate, key, chain } = files;
  const made = readCertificate(texts.certificate);
  const ours = made !== null && ((await isOf(made, nextOf(key))) || (await isOf(made, key)));
  if (!ours)
    throw new ServiceError('internal', `Cannot renew ${certificate}: the answer is for another key`, {
      hint: 'Nothing was replaced. Try again.',
    });
  if (chain !== null) await writeWhole(nextOf(chain), texts.chain, await standingOf(chain));
  await writeWhole(nextOf(certificate), texts.certificate, await standingOf(certificate));
  await finish(files);
}

/**
 * The certificate that waits for its name gets it, with its key first; what is no pair with any key here
 * stays as it is.
 */
async function finish({ certificate, key, chain }: HeldFiles): Promise<void> {
  const next = readCertificate(await textOf(nextOf(certificate)));
  if (next === null) return;
  const now = readCertificate(await textOf(certificate));
  // One that somebody put there meanwhile, by hand, is not to be undone.
  const isNewer = now === null || !(await isOf(now, key)) || next.validFromDate >= now.validFromDate;
  if (!isNewer) return;
  if (await isOf(next, nextOf(key))) await putInPlace(nextOf(key), key);
  if (!(await isOf(next, key))) return;
  const authority = chain === null ? null : readCertificate(await textOf(nextOf(chain)));
  if (chain !== null && authority !== null && next.verify(authority.publicKey))
    await putInPlace(nextOf(chain), chain);
  await putInPlace(nextOf(certificate), certificate);
}

/** Whether the file holds its private key. */
async function isOf(certificate: X509Certificate, keyFile: string): Promise<boolean> {
  const text = await textOf(keyFile);
  try {
    return text !== null && certificate.checkPrivateKey(createPrivateKey(text));
  } catch {
    return false;
  }
}

/** The first of those in the text; null for what is none. */
function readCertificate(text: string | null): X509Certificate | null {
  try {
    return text === null ? null : new X509Certificate(text);
  } catch {
    return null;
  }
}

/** Null when there is no such file. */
async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
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
