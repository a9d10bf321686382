// A client certificate as a proxy passes it on. That the client holds its key, the proxy alone knows; who
// issued it is verified here again, by key, and the rest is judged as ever.

import { X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { atMost } from '../../domain/at-most.ts';
import { type PresentedCertificate, readCertificate, signerOf } from '../presented-certificate.ts';
import type { Trust } from '../trust.ts';

export type CertificateForm =
  /** PEM, percent-encoded: nginx's `$ssl_client_escaped_cert`. */
  | 'escaped-pem'
  /** DER in base64; or PEM without its first line, its last, and the ends of lines. */
  | 'base64'
  /** Envoy's `X-Forwarded-Client-Cert`: one element, whose `Cert` is as `escaped-pem`. */
  | 'xfcc';

export type ForwardedCertificates = (
  text: string,
  form: CertificateForm,
  accountId: AccountId,
) => PresentedCertificate;

/** What it answers throws `forward_auth_invalid` for what is no certificate. */
export function createForwardedCertificates(
  trust: Pick<Trust, 'authoritiesOf' | 'version'>,
): ForwardedCertificates {
  const known = new LRUCache<string, Known>(atMost(MAX_KNOWN));
  return (text, form, accountId) => {
    const key = `${accountId} ${form} ${text}`;
    const version = trust.version();
    const before = known.get(key);
    if (before?.version === version) return before.presented;
    const leaf = leafIn(text, form);
    const presented = readCertificate(leaf, signerOf(leaf, trust.authoritiesOf(accountId)));
    known.set(key, { version, presented });
    return presented;
  };
}

type Known = { readonly version: number; readonly presented: PresentedCertificate };

function leafIn(text: string, form: CertificateForm): X509Certificate {
  const der = text.length > MAX_CHARACTERS ? null : derIn(text, form);
  try {
    // What stands behind the certificate would be nobody's to judge.
    const leaf = der === null ? null : new X509Certificate(der);
    if (leaf !== null && der !== null && leaf.raw.equals(der)) return leaf;
  } catch {
    // No certificate: refused below.
  }
  throw new ServiceError(
    'forward_auth_invalid',
    'Cannot answer a proxy: what it passes on as a client certificate is none',
  );
}

function derIn(text: string, form: CertificateForm): Buffer | null {
  if (form === 'base64') return base64In(text);
  return pemIn(form === 'xfcc' ? certificateIn(text) : text);
}

/** Elements are separated by commas, and hops write one each: of two, nobody knows which is the client's. */
function certificateIn(text: string): string | null {
  const found = [...text.matchAll(XFCC_CERT)];
  return XFCC.test(text) && found.length === 1 ? found[0]![1]! : null;
}

function pemIn(text: string | null): Buffer | null {
  if (text === null || !ESCAPED.test(text)) return null;
  const [, base64] = PEM.exec(decodeURIComponent(text)) ?? [];
  return base64 === undefined ? null : base64In(base64.replaceAll(/\r?\n/g, ''));
}

function base64In(text: string): Buffer | null {
  if (!BASE64.test(text) || text.length % 4 !== 0) return null;
  return Buffer.from(text, 'base64');
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Percent-encoded ASCII. */
const ESCAPED = /^(?:[A-Za-z0-9\-._~+/=]|%[0-7][0-9A-Fa-f])+$/;
const PEM = /^-----BEGIN CERTIFICATE-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END CERTIFICATE-----\r?\n?$/;
/** One element: pairs of `Key=value` or `Key="value"`, without a comma outside of quotes. */
const XFCC = /^[A-Za-z]+=(?:"[^"\\]*"|[^",;]*)(?:;[A-Za-z]+=(?:"[^"\\]*"|[^",;]*))*$/;
const XFCC_CERT = /(?:^|;)Cert="([^"]*)"/gi;
/** Of about 8 KB of DER: RSA keys of 4,096 bits take 2 KB. */
const MAX_CHARACTERS = 16_384;
/** Of those in use at once; another is read again. */
const MAX_KNOWN = 1_000;
