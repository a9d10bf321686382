// Values that come from a provider, believed only within bounds: identifiers, tokens, and the email with what
// the provider says of it (DESIGN "Email").

import { comparableAddress, parseEmailAddress } from '../domain/email-address.ts';
import type { Identity } from '../domain/identity.ts';
import { Secret } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';

/** Claims as a provider sent them: an id token's or the user info. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * A subject: 1 to 255 printable ASCII characters (OpenID Connect Core section 2). Throws `provider_error`.
 */
export function readSubject(value: unknown): string {
  if (typeof value === 'string' && SUBJECT.test(value)) return value;
  throw new ServiceError(
    'provider_error',
    'Cannot read the subject: it is not 1 to 255 printable characters',
  );
}

/** The provider's id of a session (`sid`), or null when it is none that can be kept. */
export function readSid(value: unknown): string | null {
  return typeof value === 'string' && SID.test(value) ? value : null;
}

export type TokenKind = 'access token' | 'refresh token' | 'id token';

/**
 * A token: printable ASCII (RFC 6749 appendix A.12, A.17). Throws `provider_token_too_large` or
 * `provider_error`.
 */
export function readToken(value: unknown, kind: TokenKind): Secret {
  if (typeof value === 'string' && value.length > MAX_TOKEN_LENGTH)
    throw new ServiceError(
      'provider_token_too_large',
      `Cannot read the ${kind}: it is ${Math.ceil(value.length / 1024)} KiB, more than 128 KiB`,
      {
        hint: 'Have the provider put less into its tokens, for example fewer groups.',
        extra: { tooLarge: `the ${kind}, with ${Math.ceil(value.length / 1024)} KiB` },
      },
    );
  if (typeof value === 'string' && TOKEN.test(value)) return new Secret(value);
  throw new ServiceError('provider_error', `Cannot read the ${kind}: it is empty or not printable`);
}

/** Null when the provider sent none. */
export function readOptionalToken(value: unknown, kind: TokenKind): Secret | null {
  return value === undefined || value === null ? null : readToken(value, kind);
}

/**
 * The address in `claim` of the first document that has one. What any document says of this address counts:
 * `email_verified` present and not true is `email_unverified`, and so is its absence when `mustBeVerified`.
 * It speaks of the claim `email`: of an address in another claim nothing is said, unless that document has
 * the same one in `email`. Throws `email_unusable` for no usable address.
 */
export function judgeEmail(
  documents: readonly Claims[],
  mustBeVerified: boolean,
  claim = 'email',
): Pick<Identity, 'email'> & { readonly emailVerified: boolean } {
  const named = documents
    .map((document) => (Object.hasOwn(document, claim) ? document[claim] : undefined))
    .find((value) => value !== undefined && value !== null);
  const email = typeof named === 'string' ? parseEmailAddress(named) : null;
  if (email === null)
    throw new ServiceError('email_unusable', 'Cannot log in: the provider sent no usable email address', {
      hint:
        claim === 'email'
          ? 'Request the scope "email", and check that the account has an email address.'
          : `Check that the provider sends the claim ${claim}, with an email address, in the ID token or the user info.`,
    });
  const said = documents
    .filter((document) => speaksOf(document, email, claim))
    .map((document) => document['email_verified'])
    .filter((value) => value !== undefined);
  if (!said.every(isTrue)) throw unverified(email, 'says that the address is not verified');
  if (mustBeVerified && said.length === 0)
    throw unverified(email, 'does not say that the address is verified');
  return { email, emailVerified: said.length > 0 };
}

function speaksOf(document: Claims, email: string, claim: string): boolean {
  const other = document['email'];
  if (typeof other !== 'string') return claim === 'email';
  return comparableAddress(other) === comparableAddress(email);
}

/** Some providers (Amazon Cognito among them) send claims of the user info as text. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

/** With the address, for the audit log: who it was is worth knowing, though nobody vouches for it. */
function unverified(email: string, found: string): ServiceError {
  return new ServiceError('email_unverified', `Cannot log in: the provider ${found}`, {
    extra: { unverifiedEmail: email },
  });
}

const SUBJECT = /^[\x20-\x7e]{1,255}$/;
/** Real ones are ids of some 40 characters. */
const SID = /^[\x20-\x7e]{1,1024}$/;
const TOKEN = /^[\x20-\x7e]+$/;
/**
 * Most are below 8 KiB; those that name hundreds of groups are not. Each is kept, encrypted, with its
 * session.
 */
const MAX_TOKEN_LENGTH = 128 * 1024;
