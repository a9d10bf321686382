// When an account is told that the authority which issues its certificates ends. Pure; browsers read it, too.

/**
 * Whether it is time to put another in its place: machines that trust it must be told, and that takes people
 * a while.
 */
export function endsWithinYear(notAfter: number, now: number): boolean {
  return notAfter <= now + AUTHORITY_NOTICE_MS;
}

/** A year: the longest that a certificate is usual to be good for is about as long. */
export const AUTHORITY_NOTICE_MS = 365 * 86_400_000;
