// The identity headers (contract 2.6, DESIGN "Signed identity"), added last, after everything that looks like them was
// stripped. A value that could break out of its header stops the request.

import type { LiveSession } from '../domain/session.ts';
import { ServiceError } from '../domain/service-error.ts';

export type IdentityFacts = {
  /** `gateway.identity_header_prefix`. */
  readonly prefix: string;
  readonly provider: string;
  readonly session: LiveSession;
  readonly assertion: string;
};

/** Appends provider, email, expires (RFC 3339, UTC) and assertion. Throws `internal` rather than write an unclean value. */
export function appendIdentityHeaders(headers: string[], facts: IdentityFacts): void {
  const { prefix, provider, session, assertion } = facts;
  if (!CLEAN.test(provider) || !CLEAN.test(session.email) || !CLEAN.test(assertion))
    throw new ServiceError(
      'internal',
      'Cannot write identity headers: a value has characters that no header may have',
    );
  headers.push(
    `${prefix}provider`,
    provider,
    `${prefix}email`,
    session.email,
    `${prefix}expires`,
    rfc3339(session.expiresAt),
    `${prefix}assertion`,
    assertion,
  );
}

/** Whole seconds in UTC: `2026-11-21T08:59:05Z`. */
export function rfc3339(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** Visible ASCII. */
const CLEAN = /^[!-~]+$/;
