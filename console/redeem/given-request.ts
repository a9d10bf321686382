// A request that somebody brings: a file, as PEM or DER, or text. A private key is not taken, so that it goes
// nowhere.

import { pem } from '../../src/x509/pem.ts';

export type GivenRequest =
  | { readonly kind: 'request'; readonly csr: string }
  | { readonly kind: 'empty' | 'too-large' | 'private-key' | 'no-request' };

export function judgeRequest(text: string): GivenRequest {
  if (text.trim() === '') return { kind: 'empty' };
  if (PRIVATE_KEY.test(text)) return { kind: 'private-key' };
  if (text.length > MAX_LENGTH) return { kind: 'too-large' };
  return REQUEST.test(text) ? { kind: 'request', csr: text } : { kind: 'no-request' };
}

/** The file's text. One in DER is written as PEM, so that it can be seen. */
export async function readRequestFile(file: File): Promise<string> {
  // As much as shows that it is too large.
  const bytes = new Uint8Array(await file.slice(0, MAX_LENGTH + 1).arrayBuffer());
  return bytes[0] === SEQUENCE && bytes.some((byte) => byte === 0 || byte > 0x7f)
    ? pem('CERTIFICATE REQUEST', bytes)
    : new TextDecoder().decode(bytes);
}

/** PEM, or base64 alone. What is in it, the service says. */
const REQUEST = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----|^\s*[A-Za-z0-9+/]{40}[A-Za-z0-9+/=\s]*$/;
const PRIVATE_KEY = /PRIVATE KEY-----/;
/** The service takes 16 KiB of DER; base64 takes a third more. */
const MAX_LENGTH = 24_000;
/** What every request begins with in DER. In text it is the digit 0. */
const SEQUENCE = 0x30;
