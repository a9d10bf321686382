// Whether the service token that a request shows counts at the share. One that is unknown, deleted, expired
// or another share's is refused in the same words; guessing is slowed down as that of API keys is. A token
// that counts speaks for the request: no session does beside it.

import type { FailedKeys } from '../domain/failed-keys.ts';
import { secretHash } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { ServiceToken } from '../domain/service-token.ts';
import type { Share } from '../domain/share.ts';
import type { ServiceTokens } from './service-tokens.ts';
import { shownToken } from './shown-token.ts';
import type { Visit } from './visit.ts';

/** Null when none is shown. Throws `service_token_invalid`, or `rate_limited` after too many from there. */
export type TokenJudge = (visit: Visit, share: Share) => ServiceToken | null;

export function createTokenJudge(tokens: ServiceTokens, failed: FailedKeys): TokenJudge {
  return ({ exchange, facts, visitor }, share) => {
    const shown = shownToken(exchange.rawHeaders, facts);
    if (shown === 'none') return null;
    const token = shown === 'unusable' ? undefined : tokens.findByHash(secretHash(shown));
    if (token !== undefined && tokenCounts(token, share, Date.now())) return token;
    const retryAfterSeconds = failed.count(visitor.address);
    if (retryAfterSeconds !== null)
      throw new ServiceError('rate_limited', 'Cannot let a program in: too many tokens failed from there', {
        extra: { retryAfterSeconds },
      });
    throw new ServiceError(
      'service_token_invalid',
      'Cannot let a program in: its service token is not valid',
      {
        hint: 'Send one token of this share, in one header. "doorward token create" creates another.',
      },
    );
  };
}

/** Whether a token that is known opens the share at `now`, if a rule lets it in. */
export function tokenCounts(token: ServiceToken, share: Share, now: number): boolean {
  return token.accountId === share.accountId && token.shareIds.includes(share.id) && now < token.expiresAt;
}
