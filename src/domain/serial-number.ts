// Serial numbers of certificates as people write them: hex, with or without colons, in any case, with leading
// zeros or without.

/**
 * Upper-case hex of whole bytes, as `X509Certificate` writes it. Null for what is no positive number that
 * takes 1 to 20 bytes in DER (RFC 5280 section 4.1.2.2).
 */
export function parseSerialNumber(text: string): string | null {
  const digits = text.trim().replaceAll(':', '');
  if (text.length > MOST_CHARACTERS || !/^[\da-f]+$/i.test(digits)) return null;
  const short = digits.replace(/^0+/, '').toUpperCase();
  const whole = short.length % 2 === 0 ? short : `0${short}`;
  // A first bit that is set takes a byte more.
  const bytes = whole.length / 2 + (/^[89A-F]/.test(whole) ? 1 : 0);
  return whole !== '' && bytes <= MOST_BYTES ? whole : null;
}

const MOST_BYTES = 20;
const MOST_CHARACTERS = 80;
