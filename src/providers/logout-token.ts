// Logout tokens (OpenID Connect Back-Channel Logout 1.0): a provider's word that somebody logged out there. Judged by
// each rule of section 2.6, with the same signature algorithms as id tokens; `jti` is the caller's to use once.

import { type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { ServiceError } from '../domain/service-error.ts';
import { SIGNING_ALGORITHMS } from './openid-metadata.ts';
import { readSid, readSubject } from './provider-values.ts';

export type LogoutToken = {
  /** Who; null when it is one session whoever's it is. */
  readonly subject: string | null;
  /** Which session at the provider; null when it is all of the person's. */
  readonly sid: string | null;
  /** `jti`: no two tokens of a provider have the same. */
  readonly id: string;
  /** From when on it would be refused anyway, in milliseconds since the epoch. */
  readonly expiresAt: number;
};

export type LogoutTokenRules = {
  readonly issuer: string;
  readonly clientId: string;
  readonly algorithms: readonly string[] | undefined;
  readonly keySet: JWTVerifyGetKey;
  readonly now: number;
  readonly toleranceSeconds: number;
};

/** Throws `provider_error` for any rule that is broken, and what the key set's fetch throws. */
export async function verifyLogoutToken(token: string, rules: LogoutTokenRules): Promise<LogoutToken> {
  const { payload, protectedHeader } = await jwtVerify(token, rules.keySet, {
    issuer: rules.issuer,
    audience: rules.clientId,
    algorithms: [...(rules.algorithms ?? SIGNING_ALGORITHMS)],
    requiredClaims: ['iss', 'aud', 'iat', 'exp', 'jti'],
    maxTokenAge: MAX_AGE_SECONDS,
    clockTolerance: rules.toleranceSeconds,
    currentDate: new Date(rules.now),
  });
  refuseOtherType(protectedHeader.typ);
  refuseOtherAudience(payload, rules.clientId);
  if (!isLogoutEvent(payload['events'])) throw refusal('it is no logout event');
  if ('nonce' in payload) throw refusal('it has a nonce, as id tokens have');
  const subject = payload.sub === undefined ? null : readSubject(payload.sub);
  const sid = payload['sid'] === undefined ? null : readSid(payload['sid']);
  if (payload['sid'] !== undefined && sid === null) throw refusal('its sid is not usable');
  if (subject === null && sid === null) throw refusal('it names neither a subject nor a session');
  const { jti, iat = 0, exp = 0 } = payload;
  if (typeof jti !== 'string' || jti === '') throw refusal('its jti is empty');
  const endSeconds = Math.min(exp, iat + MAX_AGE_SECONDS) + rules.toleranceSeconds;
  return { subject, sid, id: jti, expiresAt: endSeconds * 1000 };
}

/** Explicit typing is recommended, not required (section 2.4); a token of another type is no logout token. */
function refuseOtherType(typ: unknown): void {
  if (typ === undefined) return;
  const name = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : '';
  if (name !== 'logout+jwt' && name !== 'jwt') throw refusal('it is a token of another type');
}

/** OpenID Connect Core section 3.1.3.7 points 3 to 5, as for id tokens. */
function refuseOtherAudience({ aud, ...claims }: JWTPayload, clientId: string): void {
  const azp = claims['azp'];
  const shared = Array.isArray(aud) && aud.length > 1;
  if ((azp !== undefined || shared) && azp !== clientId) throw refusal('it is for another client too');
}

function isLogoutEvent(events: unknown): boolean {
  return isObject(events) && Object.hasOwn(events, LOGOUT_EVENT) && isObject(events[LOGOUT_EVENT]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusal(found: string): ServiceError {
  return new ServiceError('provider_error', `Cannot believe the logout token: ${found}`);
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Providers give theirs minutes; used ones are remembered as long as they would count. */
const MAX_AGE_SECONDS = 60 * 60;
