// Logout tokens (OpenID Connect Back-Channel Logout 1.0): a provider's word that somebody logged out there.
// Judged by each rule of section 2.6, with the signature algorithm of id tokens; `jti` is the caller's to use
// once. Drafts of the specification had no `exp`, and some providers follow them: such a token counts for
// minutes after it was issued.

import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { ServiceError } from '../domain/service-error.ts';
import { SIGNING_ALGORITHMS } from './openid-metadata.ts';
import { providerFault } from './provider-fault.ts';
import { readSid, readSubject } from './provider-values.ts';
import type { LogoutToken } from './provider.ts';

export type LogoutTokenRules = {
  readonly issuer: string;
  readonly clientId: string;
  readonly algorithms: readonly string[] | undefined;
  readonly keySet: JWTVerifyGetKey;
  readonly now: number;
};

/** Throws `provider_error` for any rule that is broken, and what the key set's fetch throws. */
export async function verifyLogoutToken(token: string, rules: LogoutTokenRules): Promise<LogoutToken> {
  const { payload, protectedHeader } = await jwtVerify(token, rules.keySet, {
    issuer: rules.issuer,
    audience: rules.clientId,
    algorithms: [...(rules.algorithms ?? SIGNING_ALGORITHMS)],
    requiredClaims: ['iss', 'aud', 'iat', 'jti'],
    maxTokenAge: MAX_AGE_SECONDS,
    clockTolerance: TOLERANCE_SECONDS,
    currentDate: new Date(rules.now),
  });
  refuseOtherType(protectedHeader.typ);
  refuseOtherAudience(payload, rules.clientId);
  if (!isLogoutEvent(payload['events'])) throw refusal('it is not a logout event');
  if ('nonce' in payload) throw refusal('it has a nonce, like an ID token');
  const subject = payload.sub === undefined ? null : readSubject(payload.sub);
  const sid = payload['sid'] === undefined ? null : readSid(payload['sid']);
  if (payload['sid'] !== undefined && sid === null) throw refusal('its sid is not usable');
  if (subject === null && sid === null) throw refusal('it names neither a subject nor a session');
  const { jti, iat = 0, exp } = payload;
  if (typeof jti !== 'string' || jti === '') throw refusal('its jti is empty');
  const lastSeconds = exp === undefined ? iat + FRESH_SECONDS : Math.min(exp, iat + MAX_AGE_SECONDS);
  const endSeconds = lastSeconds + TOLERANCE_SECONDS;
  if (rules.now >= endSeconds * 1000) throw refusal('it has no exp, and was issued too long ago', CLOCK_HINT);
  return { subject, sid, id: jti, expiresAt: endSeconds * 1000 };
}

/** Explicit typing is recommended, not required (section 2.4); a token of another type is no logout token. */
function refuseOtherType(typ: unknown): void {
  if (typ === undefined) return;
  const name = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : '';
  if (name !== 'logout+jwt' && name !== 'jwt') throw refusal('it is another type of token');
}

/** OpenID Connect Core section 3.1.3.7 points 3 to 5, as for id tokens. */
function refuseOtherAudience({ aud, ...claims }: JWTPayload, clientId: string): void {
  const azp = claims['azp'];
  const shared = Array.isArray(aud) && aud.length > 1;
  if ((azp !== undefined || shared) && azp !== clientId) throw refusal('it is also for another client');
}

function isLogoutEvent(events: unknown): boolean {
  return isObject(events) && Object.hasOwn(events, LOGOUT_EVENT) && isObject(events[LOGOUT_EVENT]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusal(found: string, hint?: string): ServiceError {
  return new ServiceError(
    'provider_error',
    `Cannot accept the logout token: ${found}`,
    hint === undefined ? {} : { hint },
  );
}

/** A fault of `verifyLogoutToken` with what the operator can do about it, where that is known. */
export function logoutTokenFault(action: string, error: unknown): ServiceError {
  const fault = providerFault(action, error);
  const hint = fault.hint ?? hintOf(error);
  if (hint === null) return fault;
  return new ServiceError(fault.code, fault.message, { hint, cause: fault.cause });
}

function hintOf(error: unknown): string | null {
  if (!(error instanceof errors.JOSEError)) return null;
  if (error instanceof errors.JWTExpired) return CLOCK_HINT;
  if (error instanceof errors.JWTClaimValidationFailed) return CLAIM_HINTS[error.claim] ?? null;
  return CODE_HINTS[error.code] ?? null;
}

const CLOCK_HINT =
  'Compare the clocks of this machine and the provider. They can differ by at most five minutes.';
const CLAIM_HINTS: Readonly<Record<string, string>> = {
  iat: CLOCK_HINT,
  nbf: CLOCK_HINT,
  iss: 'Check the issuer of this provider. The logout token names another one.',
  aud: 'Check client_id. The logout token is for another client.',
};
const CODE_HINTS: Readonly<Record<string, string>> = {
  ERR_JOSE_ALG_NOT_ALLOWED:
    'Have the provider sign logout tokens with the algorithm of the ID tokens of this client.',
  ERR_JWKS_NO_MATCHING_KEY: 'Have the provider sign logout tokens with a key of its key set.',
};
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/**
 * A logout that comes late or from a clock that is off must still log out; what it could be abused for is a
 * logout.
 */
const TOLERANCE_SECONDS = 5 * 60;
/** Without an end of its own. Providers send it at once, and again within seconds. */
const FRESH_SECONDS = 5 * 60;
/** Providers give theirs minutes; used ones are remembered as long as they would count. */
const MAX_AGE_SECONDS = 60 * 60;
