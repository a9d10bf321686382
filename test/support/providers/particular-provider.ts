// An OpenID provider with the habits of real ones, which are all within their rights or common enough: each
// is switched on and off while it runs.

import { startOpenIdStandIn } from './openid-stand-in.ts';
import type { OpenIdStandIn, StandInClient } from './openid-stand-in.ts';

export type Habits = {
  /**
   * A new login of a person makes the refresh tokens of the former ones worthless; they are refused as
   * `invalid_request`.
   */
  oneRefreshTokenAPerson: boolean;
  /**
   * The Retry-After of the 429 with which the token endpoint and the user info answer; null while they are
   * not busy.
   */
  busyFor: string | null;
  /** What any other refresh is refused with; null for none. */
  refusesRefresh: { readonly status: number; readonly error: string } | null;
  /** Id tokens name the issuer without `https://`, as Google’s may. */
  shortIssuer: boolean;
  /** Its answers have no Date. */
  noDate: boolean;
  /** Everything but its metadata and login page answers 503. */
  down: boolean;
};

export type ParticularProvider = OpenIdStandIn & {
  readonly habits: Habits;
  /** Requests that got the 429. */
  readonly refusedWhileBusy: { count: number };
};

export async function startParticularProvider(
  clients: readonly StandInClient[],
): Promise<ParticularProvider> {
  const habits: Habits = {
    oneRefreshTokenAPerson: false,
    busyFor: null,
    refusesRefresh: null,
    shortIssuer: false,
    noDate: false,
    down: false,
  };
  const refusedWhileBusy = { count: 0 };
  const newest = new Map<string, unknown>();
  const standIn = await startOpenIdStandIn(
    { clients },
    {
      intercept(_request, response, path) {
        response.sendDate = !habits.noDate;
        if (habits.down && BACK_CHANNEL.has(path)) {
          response.writeHead(503).end();
          return true;
        }
        if (habits.busyFor === null || !RATE_LIMITED.has(path)) return false;
        refusedWhileBusy.count++;
        response.writeHead(429, { 'retry-after': habits.busyFor }).end();
        return true;
      },
      claims: (claims) =>
        habits.shortIssuer ? { ...claims, iss: String(claims.iss).replace(/^https?:\/\//, '') } : claims,
      tokenAnswer: (body, { email }) => {
        if (body['refresh_token'] !== undefined) newest.set(email, body['refresh_token']);
        return body;
      },
      judgeRefresh: (token, { email }) =>
        habits.oneRefreshTokenAPerson && newest.get(email) !== token
          ? { status: 400, error: 'invalid_request' }
          : habits.refusesRefresh,
    },
  );
  return Object.assign(standIn, { habits, refusedWhileBusy });
}

const RATE_LIMITED: ReadonlySet<string> = new Set(['/token', '/userinfo']);
const BACK_CHANNEL: ReadonlySet<string> = new Set([...RATE_LIMITED, '/jwks', '/revoke']);
