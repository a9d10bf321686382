// The service token that a request shows: `svc-auth-token: dws_…`, or `Authorization: Bearer dws_…`. In a
// query or a cookie it is nothing. Every other Authorization is between the visitor and the backend.

import type { Secret } from '../domain/secret.ts';
import { parseServiceToken, SERVICE_TOKEN_PREFIX } from '../domain/service-token.ts';
import type { HeadFacts } from './head-facts.ts';

/**
 * `unusable`: more than one, or one that cannot be any. Whoever shows two could be one to the gateway and the
 * other to whatever stands between.
 */
export type ShownToken = Secret | 'none' | 'unusable';

export function shownToken(
  rawHeaders: readonly string[],
  { authorization, serviceToken }: Pick<HeadFacts, 'authorization' | 'serviceToken'>,
): ShownToken {
  if (serviceToken === null && authorization?.includes(SERVICE_TOKEN_PREFIX) !== true) return 'none';
  const shown: string[] = [];
  let authorizations = 0;
  let isBearer = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    const value = rawHeaders[index + 1]!;
    if (name === 'svc-auth-token') shown.push(value.trim());
    else if (name === 'authorization') {
      authorizations++;
      if (!isServiceBearer(value)) continue;
      isBearer = true;
      shown.push(value.trim().replace(SCHEME, ''));
    }
  }
  const [text, ...more] = shown;
  if (text === undefined) return 'none';
  if (more.length > 0 || (isBearer && authorizations > 1)) return 'unusable';
  return parseServiceToken(text) ?? 'unusable';
}

/** Whether the value of an Authorization header is a service token, however it is written. */
export function isServiceBearer(value: string): boolean {
  return value.includes(SERVICE_TOKEN_PREFIX) && SERVICE_BEARER.test(value);
}

const SCHEME = /^bearer[ \t]+/i;
const SERVICE_BEARER = /^[ \t]*bearer[ \t]+dws_/i;
