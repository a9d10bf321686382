// An OpenID provider with the habits of real ones, which are all within their rights or common enough: each is switched on
// and off while it runs.

import { startOpenIdStandIn } from './openid-stand-in.ts';
import type { OpenIdStandIn, StandInClient } from './openid-stand-in.ts';

export type Habits = {
  /** A new login of a person makes the refresh tokens of the former ones worthless; they are refused as `invalid_request`. */
  oneRefreshTokenAPerson: boolean;
  /** What any other refresh is refused with; null for none. */
  refusesRefresh: { readonly status: number; readonly error: string } | null;
};

export type ParticularProvider = OpenIdStandIn & { readonly habits: Habits };

export async function startParticularProvider(
  clients: readonly StandInClient[],
): Promise<ParticularProvider> {
  const habits: Habits = { oneRefreshTokenAPerson: false, refusesRefresh: null };
  const newest = new Map<string, unknown>();
  const standIn = await startOpenIdStandIn(
    { clients },
    {
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
  return Object.assign(standIn, { habits });
}
