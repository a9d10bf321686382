// Certificate signing requests (RFC 2986). Of one, only the public key is used; that its sender holds the
// private key is what the signature proves. Subject and attributes are the sender's inputs, read for their
// form and then ignored.

import { bitStringOctets, contextTag, DerError, DerReader, readWhole, requireForm, TAG } from './der.ts';
import { KeyRefused, parseSubjectKey, type SubjectKey } from './public-key.ts';
import { requireSignature } from './signature.ts';

/**
 * A CSR that is not accepted. `message` is a clause for people: "an RSA key of 1024 bits; it needs 2048 to
 * 4096".
 */
export class CsrRefused extends Error {
  override readonly name = 'CsrRefused';
}

/**
 * Reads PEM, or base64 of DER. Throws `CsrRefused` for everything but a CSR with an allowed key that signed
 * it.
 */
export function parseCsr(text: string): SubjectKey {
  if (text.length > MAX_TEXT) throw new CsrRefused(`more than ${MAX_DER_BYTES} bytes`);
  return parseCsrDer(decode(text));
}

/** As `parseCsr()`, of DER. */
export function parseCsrDer(der: Uint8Array): SubjectKey {
  if (der.length > MAX_DER_BYTES) throw new CsrRefused(`more than ${MAX_DER_BYTES} bytes`);
  try {
    return read(der);
  } catch (error) {
    if (error instanceof DerError || error instanceof KeyRefused) throw new CsrRefused(error.message);
    throw error;
  }
}

function read(der: Uint8Array): SubjectKey {
  const request = new DerReader(readWhole(der, TAG.sequence, 'certificate signing request').content);
  const info = request.expect(TAG.sequence, 'request information');
  const algorithm = request.expect(TAG.sequence, 'signature algorithm');
  const signature = bitStringOctets(request.expect(TAG.bitString, 'signature'), 'a signature');
  request.end('the signature');
  const parts = new DerReader(info.content);
  const version = parts.expect(TAG.integer, 'version');
  if (version.content.length !== 1 || version.content[0] !== 0) throw new DerError('a version other than 1');
  requireForm(parts.expect(TAG.sequence, 'subject').content);
  const subject = parseSubjectKey(parts.expect(TAG.sequence, 'public key').whole);
  requireForm(parts.expect(contextTag(0, true), 'attributes').content);
  parts.end('the attributes');
  requireSignature(subject, { bytes: info.whole, algorithm, signature });
  return subject;
}

function decode(text: string): Buffer {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text))
    throw new CsrRefused('a private key: it must not leave its device, so make a new one');
  const labels = text.match(/-----BEGIN [^-]*-----/g) ?? [];
  if (labels.length > 1) throw new CsrRefused('more than one PEM block');
  const block = PEM_BLOCK.exec(text);
  if (labels.length === 1 && block === null) throw new CsrRefused(`${labels[0]} and no whole request`);
  const base64 = (block?.[2] ?? text).replace(/[\r\n\t ]+/g, '');
  if (base64 === '') throw new CsrRefused('nothing');
  if (!BASE64.test(base64)) throw new CsrRefused('neither PEM nor base64');
  return Buffer.from(base64, 'base64');
}

/**
 * RFC 7468 section 7, and the label of old Microsoft and GnuTLS tools. Text around it is ignored, as section
 * 2 says.
 */
const PEM_BLOCK = /-----BEGIN ((?:NEW )?CERTIFICATE REQUEST)-----\r?\n([^-]*)-----END \1-----/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** The largest real one, with a key of 4096 bits and every attribute, stays below 3 KiB. */
const MAX_DER_BYTES = 16 * 1024;
/** Base64 and the text that tools print above it. */
const MAX_TEXT = 2 * MAX_DER_BYTES;
