// Email addresses as the service believes them (DESIGN 3, "Email"). An address goes into a header, a page and the
// patterns, so anything that two readers could take apart differently is no address here.

/**
 * The address as given, or null when it is not usable: exactly one `@` with something on both sides, printable ASCII
 * without spaces, double quotes or commas, at most 254 characters (RFC 5321 section 4.5.3.1.3). The apostrophe of
 * `o'brien@example.com` quotes nothing in an address (RFC 5321 `atext`), so it may stand.
 */
export function parseEmailAddress(text: string): string | null {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text) ? text : null;
}

const EMAIL = /^[!#-+\--?A-~]+@[!#-+\--?A-~]+$/;
/** RFC 5321 allows a path of 256 with its angle brackets. */
const MAX_EMAIL_LENGTH = 254;
