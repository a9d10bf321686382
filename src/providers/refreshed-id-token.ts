// An id token that comes with refreshed tokens is of the same person and login as the one before (OpenID
// Connect Core section 12.2). Signature, issuer, audience and expiry are the library's to check; this is what
// it cannot know.

import type { Claims } from './provider-values.ts';

export type RefreshRefusal = 'subject_changed' | 'id_token_changed';

/**
 * Null when the new one may replace `former`, which is null where none was kept. `now` in milliseconds since
 * the epoch.
 */
export function refuseRefreshed(
  fresh: Claims,
  former: { readonly subject: string | null; readonly claims: Claims | null },
  now: number,
): RefreshRefusal | null {
  if (former.subject !== null && fresh['sub'] !== former.subject) return 'subject_changed';
  return former.claims === null || isOfSameLogin(fresh, former.claims, now) ? null : 'id_token_changed';
}

function isOfSameLogin(fresh: Claims, former: Claims, now: number): boolean {
  const audience = listOf(fresh['aud']);
  return (
    fresh['iss'] === former['iss'] &&
    listOf(former['aud']).every((each) => audience.includes(each)) &&
    fresh['azp'] === former['azp'] &&
    isSameIfSaid(fresh['nonce'], former['nonce']) &&
    (former['auth_time'] === undefined || isSameIfSaid(fresh['auth_time'], former['auth_time'])) &&
    isIssuedSince(fresh['iat'], former['iat'], now)
  );
}

function isSameIfSaid(fresh: unknown, former: unknown): boolean {
  return fresh === undefined || fresh === former;
}

function isIssuedSince(fresh: unknown, former: unknown, now: number): boolean {
  if (typeof fresh !== 'number' || fresh > now / 1000 + CLOCKS_APART_SECONDS) return false;
  return typeof former !== 'number' || fresh >= former - CLOCKS_APART_SECONDS;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Several machines may issue tokens for one provider. */
const CLOCKS_APART_SECONDS = 5 * 60;
