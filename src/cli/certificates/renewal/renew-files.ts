// One renewal: the certificate is the credential, shown to the control API that its revocation list is at
// unless another is given.

import type { X509Certificate } from 'node:crypto';
import { createNodeClient } from '../../../client/node-client.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import { parseControlUrl } from '../../login/connection.ts';
import { requestFor } from '../key-files.ts';
import type { WayOut } from '../../way-out.ts';
import {
  dropNextKey,
  type HeldFiles,
  nextKey,
  readHeld,
  replace,
  requireReplaceable,
} from './certificate-files.ts';

export type RenewalInput = {
  /** `--url`. */
  readonly url: string | undefined;
  readonly newKey: boolean;
  readonly wayTo: WayOut;
};

export type RenewedFiles = {
  readonly files: HeldFiles;
  readonly serial: string;
  /** RFC 3339. */
  readonly notAfter: string;
};

/** Throws `usage`, and what the API answers: `certificate_revoked`, `policy_violation`… */
export async function renewFiles(
  files: HeldFiles,
  { url, newKey, wayTo }: RenewalInput,
): Promise<RenewedFiles> {
  const { pair, certificate, withChain } = await readHeld(files);
  const control = url === undefined ? controlUrlOf(certificate, files) : parseControlUrl(url);
  if (control.protocol !== 'https:')
    throw new ServiceError(
      'usage',
      `Cannot renew at ${control.origin}: presenting a certificate needs https`,
    );
  await requireReplaceable(files);
  const csr = newKey ? await requestFor(await nextKey(files, pair)) : undefined;
  const client = createNodeClient({ url: control, apiKey: null, clientCertificate: pair, wayTo });
  const made = await client.certificates.renew({ csr }).catch(async (error: unknown) => {
    // After any other answer, and after none, the key may have a certificate.
    if (newKey && error instanceof ServiceError && error.code === 'csr_refused') await dropNextKey(files);
    throw error;
  });
  const text = withChain ? made.certificate + made.chain : made.certificate;
  await replace(files, { certificate: text, chain: made.chain });
  return { files, serial: made.serial, notAfter: made.notAfter };
}

/**
 * The list is served by the control API (`/pki/<account>/<authority>.crl`), whose address is an IA5String in
 * the certificate.
 */
function controlUrlOf(certificate: X509Certificate, files: HeldFiles): URL {
  const found = /https?:\/\/[\x21-\x7e]{1,300}?(?=\/pki\/acc_\w+\/aca_\w+\.crl)/.exec(
    certificate.raw.toString('latin1'),
  );
  const url = found === null ? null : URL.parse(found[0]);
  if (url !== null) return url;
  throw new ServiceError(
    'usage',
    `Cannot find the control API for ${files.certificate}: the certificate does not name it`,
    {
      hint: 'Set --url or DOORWARD_URL.',
    },
  );
}
