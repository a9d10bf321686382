// How strong a login at a provider must be, beside whom it shows: by which means the person proved who they
// are, and how long ago (OpenID Connect Core sections 2 and 3.1.2.1).

import type { FaultCode } from './service-error.ts';
import { NO_FACTS, type SessionFacts } from './session-facts.ts';

export type LoginStrength = {
  /** Any one of these classes of authentication, the preferred first; none: any class. */
  readonly acrValues: readonly string[];
  /** How long ago at most the person proved who they are; null: however long. */
  readonly maxAgeMs: number | null;
};

export const ANY_STRENGTH: LoginStrength = { acrValues: [], maxAgeMs: null };

export function isAnyStrength({ acrValues, maxAgeMs }: LoginStrength): boolean {
  return acrValues.length === 0 && maxAgeMs === null;
}

/** What to ask for where both must hold: classes of both if there are any, and the shorter time. */
export function strongerOf(one: LoginStrength, other: LoginStrength): LoginStrength {
  const ages = [one.maxAgeMs, other.maxAgeMs].filter((age) => age !== null);
  const both = one.acrValues.filter((acr) => other.acrValues.includes(acr));
  const [first, second] = [one.acrValues, other.acrValues];
  return {
    acrValues: first.length === 0 ? second : second.length === 0 || both.length === 0 ? first : both,
    maxAgeMs: ages.length === 0 ? null : Math.min(...ages),
  };
}

/** As much of it as fits a login request: a rule may list a hundred classes. */
export function boundedStrength({ acrValues, maxAgeMs }: LoginStrength): LoginStrength {
  let length = 0;
  return { acrValues: acrValues.filter((acr) => (length += acr.length + 1) <= MAX_ACR_LENGTH), maxAgeMs };
}

/**
 * Why a login that began at `since` is not strong enough; null when it is. What the provider does not say is
 * not shown.
 */
export function strengthFault(
  { acrValues, maxAgeMs }: LoginStrength,
  { acr, authTime }: Pick<SessionFacts, 'acr' | 'authTime'> = NO_FACTS,
  since: number,
): Extract<FaultCode, 'acr_unmet' | 'login_too_old'> | null {
  if (acrValues.length > 0 && (acr === null || !acrValues.includes(acr))) return 'acr_unmet';
  if (maxAgeMs === null) return null;
  const isFresh = authTime !== null && authTime >= since - maxAgeMs - CLOCKS_APART_MS;
  return isFresh ? null : 'login_too_old';
}

/** As much as ids of tokens may be early or late. */
const CLOCKS_APART_MS = 10_000;
/** Beside it an attempt still fits its cookie. */
const MAX_ACR_LENGTH = 1_000;
