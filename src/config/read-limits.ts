// The section `limits`: how much one account may have and ask.

import type { AccountLimits } from '../domain/account-limits.ts';
import { DEFAULT_LIMITS } from '../domain/account-limits.ts';
import { LIMIT_FIELDS } from './describe.ts';
import { complete, readCount, type Section } from './section.ts';

export function readLimits(section: Section | null): AccountLimits | undefined {
  if (section === null) return DEFAULT_LIMITS;
  const limit = (key: keyof typeof LIMIT_FIELDS) => {
    const { absent, most } = LIMIT_FIELDS[key];
    return readCount(section, key, { absent: absent.default, most });
  };
  return complete({
    callsAtOnce: limit('calls_at_once'),
    callsWaiting: limit('calls_waiting'),
    writesPerMinute: limit('writes_per_minute'),
    shares: limit('shares'),
    hosts: limit('hosts'),
    providers: limit('providers'),
    members: limit('members'),
    apiKeys: limit('api_keys'),
    serviceTokens: limit('service_tokens'),
    webhooks: limit('webhooks'),
    certificateRequestTokens: limit('certificate_request_tokens'),
    certificates: limit('certificates'),
    revokedSerials: limit('revoked_serials'),
  });
}
