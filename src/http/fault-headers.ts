// The headers that the status of a fault asks for (RFC 9110): when to come back, which methods, which
// credentials.

import type { FaultCode, ServiceError } from '../domain/service-error.ts';

/**
 * `extra.retryAfterSeconds` (a number) and `extra.allow` (`GET, HEAD`) are told to the client as headers too.
 */
export function faultHeaders(error: ServiceError): readonly (readonly [name: string, value: string])[] {
  const { code, extra } = error;
  const headers: (readonly [string, string])[] = [];
  const seconds = extra['retryAfterSeconds'] ?? RETRY_AFTER_SECONDS[code];
  if (typeof seconds === 'number' && Number.isFinite(seconds))
    headers.push(['retry-after', String(Math.max(0, Math.ceil(seconds)))]);
  const allow = extra['allow'];
  if (typeof allow === 'string' && /^[A-Z]+(?:, [A-Z]+)*$/.test(allow)) headers.push(['allow', allow]);
  if (code === 'api_key_missing' || code === 'api_key_invalid')
    headers.push(['www-authenticate', 'Bearer realm="control"']);
  if (code === 'service_token_invalid') headers.push(['www-authenticate', 'Bearer']);
  return headers;
}

// Things that mend themselves: an agent dials again, a gateway restarts, a provider or a database comes back.
// A few seconds keep visitors waiting briefly and still spread a crowd of clients.
const RETRY_AFTER_SECONDS: Partial<Readonly<Record<FaultCode, number>>> = {
  agent_away: 5,
  agent_busy: 2,
  draining: 2,
  provider_rate_limited: 60,
  provider_unreachable: 5,
  rate_limited: 10,
  recheck_unavailable: 5,
  store_unavailable: 5,
};
