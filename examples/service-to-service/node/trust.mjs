// What a callee trusts: the certificate authorities of an account and their CRLs, refreshed regularly.
// A file that is missing, incomplete or expired is not trusted.

import { X509Certificate } from 'node:crypto';
import { readRevocationList } from './revocation-list.mjs';

/**
 * @param {{ pkiUrl: string, subjects: ReadonlySet<string> }} of `https://control.example.com/pki/acc_…`, and who may call
 */
export function createTrust({ pkiUrl, subjects }) {
  let authorities = [];
  let files = { ca: '', crl: [] };
  return {
    /** What Node's TLS needs: `{ ca, crl }`. Of a text with several lists it would read the first alone. */
    files: () => files,
    /** Throws, and leaves everything as it was, when something cannot be fetched or does not fit together. */
    async refresh() {
      const [ca, crl] = await Promise.all([fetchText(`${pkiUrl}/ca.pem`), fetchText(`${pkiUrl}/crl.pem`)]);
      authorities = readAuthorities(ca, crl);
      files = { ca, crl: crl.match(/-----BEGIN X509 CRL-----[^-]+-----END X509 CRL-----/g) };
    },
    /**
     * Why this certificate may not call now; null when it may. Asked for each request: connections live long.
     */
    refusal(der) {
      if (der === undefined) return 'no certificate';
      const leaf = new X509Certificate(der);
      const now = Date.now();
      const issuer = authorities.find(
        ({ certificate }) => leaf.checkIssued(certificate) && leaf.verify(certificate.publicKey),
      );
      if (issuer === undefined) return 'a certificate of another authority';
      if (now < leaf.validFromDate.getTime() || now > leaf.validToDate.getTime())
        return 'a certificate that is over, or not good yet';
      // In Node, `keyUsage` is the extended key usage. Without one, OpenSSL would accept it.
      if (leaf.ca || !leaf.keyUsage?.includes(CLIENT_AUTH)) return 'a certificate that is not for clients';
      if (now > issuer.list.nextUpdate) return 'a certificate whose revocation list is out of date';
      if (issuer.list.serials.has(leaf.serialNumber)) return 'a revoked certificate';
      return subjects.has(subjectOf(leaf)) ? null : `a certificate of ${subjectOf(leaf)}`;
    },
  };
}

/** As RFC 4514 writes it: `CN=billing,OU=Services,O=Corp`. */
export function subjectOf(leaf) {
  return leaf.subject.split('\n').toReversed().join(',');
}

function readAuthorities(ca, crl) {
  const certificates = blocks(ca, 'CERTIFICATE').map((der) => new X509Certificate(der));
  const lists = blocks(crl, 'X509 CRL');
  // The service writes both in the same order: one CRL for each certificate authority.
  if (certificates.length === 0 || certificates.length !== lists.length)
    throw new Error('Cannot use the authorities: there is not one revocation list for each');
  return certificates.map((certificate, index) => {
    const list = readRevocationList(lists[index], certificate);
    if (list.nextUpdate < Date.now()) throw new Error('Cannot use a revocation list: it is out of date');
    return { certificate, list };
  });
}

function blocks(pem, label) {
  const pattern = new RegExp(`-----BEGIN ${label}-----([^-]+)-----END ${label}-----`, 'g');
  return [...pem.matchAll(pattern)].map(([, base64]) => Buffer.from(base64, 'base64'));
}

async function fetchText(url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_LIMIT_MS), redirect: 'error' });
  if (!answer.ok) throw new Error(`Cannot fetch ${url}: ${answer.status}`);
  return await answer.text();
}

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const FETCH_LIMIT_MS = 10_000;
