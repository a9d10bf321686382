// PEM (RFC 7468): a label, base64 in lines of 64, the label again. It runs in browsers, too.

export type PemLabel = 'CERTIFICATE' | 'X509 CRL' | 'CERTIFICATE REQUEST';

/** DER as PEM, with a line break at its end. */
export function pem(label: PemLabel, der: Uint8Array): string {
  const text = base64(der);
  let lines = '';
  for (let at = 0; at < text.length; at += LINE) lines += `${text.slice(at, at + LINE)}\n`;
  return `-----BEGIN ${label}-----\n${lines}-----END ${label}-----\n`;
}

/** The DER of the first block of that label; null when there is none, or it is no base64. */
export function fromPem(label: PemLabel, text: string): Uint8Array<ArrayBuffer> | null {
  const [, body] = new RegExp(`-----BEGIN ${label}-----([^-]*)-----END ${label}-----`).exec(text) ?? [];
  if (body === undefined) return null;
  try {
    return Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function base64(bytes: Uint8Array): string {
  // Newer engines do it by themselves, in a fiftieth of the time.
  if ('toBase64' in bytes) return bytes.toBase64();
  return bytewise(bytes);
}

function bytewise(bytes: Uint8Array): string {
  let binary = '';
  // Pieces: a call takes so many arguments, and no more.
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    binary += String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES));
  return btoa(binary);
}

const LINE = 64;
const PIECE_BYTES = 8_192;
