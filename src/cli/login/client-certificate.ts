// A client certificate and its key from files, as the command line calls with it.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ClientCertificate } from '../../client/send.ts';
import { Secret } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';

export type CertificateFiles = { readonly certificate: string; readonly key: string };

/**
 * `x.cert.pem` has its key in `x.key.pem`, as `doorward cert request` writes them. Throws `usage` for another
 * name.
 */
export function keyFileOf(certificate: string): string {
  if (certificate.endsWith(CERTIFICATE_END)) return `${prefixOf(certificate)}.key.pem`;
  throw new ServiceError('usage', `Cannot find the key of ${certificate}`, {
    hint: 'Give the key file with --key, or client_key_file in agent.yaml.',
  });
}

/** `x` of `x.cert.pem`. */
export function prefixOf(certificate: string): string {
  return certificate.slice(0, -CERTIFICATE_END.length);
}

/** Throws `usage` when one is none, or not the other's. */
export async function readClientCertificate(files: CertificateFiles): Promise<ClientCertificate> {
  const [certificate, key] = [await readText(files.certificate), await readText(files.key)];
  const read = readPem(certificate, files.certificate);
  if (!isKeyOf(read, key, files.key))
    throw new ServiceError('usage', `Cannot use ${files.certificate}: ${files.key} is not its key`);
  return { certificate, key: new Secret(key) };
}

/** Throws `usage`. */
export function readPem(text: string, file: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (cause) {
    throw new ServiceError('usage', `Cannot use ${file}: it contains no certificate in PEM`, { cause });
  }
}

/** The first certificate in the file, and nothing else of it: a key may stand beside it. Throws `usage`. */
export async function readPemFile(file: string): Promise<string> {
  return readPem(await readText(file), file).toString();
}

function isKeyOf(certificate: X509Certificate, key: string, file: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(key));
  } catch (cause) {
    throw new ServiceError('usage', `Cannot use the key of ${file}: it contains no private key in PEM`, {
      cause,
    });
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new ServiceError('usage', `Cannot read ${file}: ${code}`, { cause });
  }
}

const CERTIFICATE_END = '.cert.pem';
