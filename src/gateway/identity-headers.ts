// The identity headers (contract 2.6, DESIGN "Signed identity"), added last, after everything that looks like
// them was stripped. A value that could break out of its header stops the request.

import type { CertificateFacts } from '../domain/client-certificate.ts';
import { parseEmailAddress } from '../domain/email-address.ts';
import { hasBeyondAscii } from '../domain/international-address.ts';
import type { LiveSession } from '../domain/session.ts';
import { ServiceError } from '../domain/service-error.ts';
import { TOKEN_PROVIDER, type ServiceToken } from '../domain/service-token.ts';

/** At least one of login, certificate and token; a token is never beside a login. */
export type IdentityFacts = {
  /** `gateway.identity_header_prefix`. */
  readonly prefix: string;
  readonly login: {
    readonly session: LiveSession;
    readonly provider: string;
    /** Further headers, by the end of their names. */
    readonly told?: readonly (readonly [name: string, value: string])[];
  } | null;
  readonly certificate: CertificateFacts | null;
  readonly token?: ServiceToken | null;
  readonly assertion: string;
};

/**
 * Appends provider, email and expires (RFC 3339, UTC) of a login; provider, subject and expires of a service
 * token; subject (RFC 4514), serial and fingerprint of a certificate; and the assertion of all. Throws
 * `internal` rather than write an unclean value.
 */
export function appendIdentityHeaders(headers: string[], facts: IdentityFacts): void {
  const { prefix, login, certificate, token = null, assertion } = facts;
  if (login !== null) {
    const { session, provider, told = [] } = login;
    headers.push(`${prefix}provider`, clean(provider, CLEAN));
    headers.push(`${prefix}email`, emailValue(session.email));
    headers.push(`${prefix}expires`, rfc3339(session.expiresAt));
    for (const [name, value] of told) headers.push(`${prefix}${name}`, clean(value, CLEAN_TEXT));
  }
  if (token !== null) {
    headers.push(`${prefix}provider`, TOKEN_PROVIDER);
    headers.push(`${prefix}subject`, clean(token.name, CLEAN));
    headers.push(`${prefix}expires`, rfc3339(token.expiresAt));
  }
  if (certificate !== null) {
    headers.push(`${prefix}cert-subject`, clean(certificate.subject, CLEAN_TEXT));
    headers.push(`${prefix}cert-serial`, clean(certificate.serial, CLEAN));
    headers.push(`${prefix}cert-fingerprint`, clean(certificate.fingerprint, CLEAN));
  }
  headers.push(`${prefix}assertion`, clean(assertion, CLEAN));
}

/**
 * One beyond ASCII as UTF-8 (RFC 9110 section 5.5 `obs-text`), a character a byte; only in the form that it
 * was let in with.
 */
function emailValue(email: string): string {
  if (!hasBeyondAscii(email)) return clean(email, CLEAN);
  return parseEmailAddress(email) === email ? Buffer.from(email).toString('latin1') : clean('', CLEAN);
}

function clean(value: string, form: RegExp): string {
  if (form.test(value)) return value;
  throw new ServiceError(
    'internal',
    'Cannot write identity headers: a value has characters that headers do not allow',
  );
}

/** Whole seconds in UTC: `2026-11-21T08:59:05Z`. */
export function rfc3339(at: number): string {
  return `${new Date(at).toISOString().slice(0, -MILLISECONDS.length)}Z`;
}

/** Visible ASCII. */
const CLEAN = /^[!-~]+$/;
/** With spaces inside. */
const CLEAN_TEXT = /^[!-~](?:[ -~]*[!-~])?$/;
const MILLISECONDS = '.000Z';
