// Email addresses as the service believes them (DESIGN "Email"). An address goes into a header, a page and
// the patterns, so anything that two readers could take apart differently is no address here.

import { hasBeyondAscii, internationalAddress } from './international-address.ts';

/**
 * The address, or null when it is not usable: exactly one `@` with something on both sides, printable ASCII
 * without spaces, double quotes or commas, at most 254 bytes (RFC 5321 section 4.5.3.1.3), as given. The
 * apostrophe of `o'brien@example.com` quotes nothing in an address (RFC 5321 `atext`), so it may stand. One
 * beyond ASCII (RFC 6531) has letters, marks and digits of any script as well, and comes back in the one form
 * of all its spellings: `jörg@xn--bcher-kva.example`.
 */
export function parseEmailAddress(text: string): string | null {
  if (text.length > MAX_EMAIL_LENGTH) return null;
  if (!hasBeyondAscii(text)) return EMAIL.test(text) ? text : null;
  const address = internationalAddress(text);
  if (address === null || !EMAIL.test(address.replaceAll(BEYOND_ASCII, 'x'))) return null;
  return new TextEncoder().encode(address).length > MAX_EMAIL_LENGTH ? null : address;
}

/** Equal for two spellings of one address, their case too. A text that is no address stands for itself. */
export function comparableAddress(text: string): string {
  // ASCII capitals alone: U+212A (Kelvin) becomes a k in lower case, and a text that holds it is no address.
  return (parseEmailAddress(text) ?? text).replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/**
 * Whether it can be in a certificate: an `rfc822Name` has no letters beyond ASCII (RFC 5280 section 4.2.1.6).
 */
export function isAsciiAddress(text: string): boolean {
  return !hasBeyondAscii(text) && parseEmailAddress(text) !== null;
}

const EMAIL = /^[!#-+\--?A-~]+@[!#-+\--?A-~]+$/;
const BEYOND_ASCII = /[^\0-\x7f]/gu;
/** RFC 5321 allows a path of 256 with its angle brackets. */
const MAX_EMAIL_LENGTH = 254;
