// Google as a stand-in, strict where `emulate` is not: PKCE, exact redirect URI, single-use codes, and a
// refresh token only for offline access with consent (or the first consent of that person). Revocations are
// recorded.

import { sendJson } from './loopback-server.ts';
import { startOpenIdStandIn } from './openid-stand-in.ts';
import type { OpenIdStandIn, StandInClient } from './openid-stand-in.ts';

export type StrictGoogle = OpenIdStandIn & {
  /** What Google says of addresses; true unless set. `undefined` leaves the claim out. */
  emailVerified: boolean | undefined;
  /** Of accounts of Google Workspace; `undefined` for others. */
  hostedDomain: unknown;
};

export async function startStrictGoogle(options: {
  readonly clients: readonly StandInClient[];
}): Promise<StrictGoogle> {
  const consented = new Set<string>();
  const said: { emailVerified: boolean | undefined; hostedDomain: unknown } = {
    emailVerified: true,
    hostedDomain: undefined,
  };
  const verified = <Claims extends object>(claims: Claims) => {
    const { email_verified: _, ...rest } = claims as Claims & { email_verified?: unknown };
    return said.emailVerified === undefined ? rest : { ...rest, email_verified: said.emailVerified };
  };
  const standIn = await startOpenIdStandIn(options, {
    judgeAuthorization(request) {
      const known = new Set(['openid', 'email', 'profile']);
      const scopes = (request.get('scope') ?? '').split(' ');
      return scopes.every((scope) => known.has(scope)) ? null : 'invalid_scope';
    },
    givesRefreshToken({ clientId, email, request }) {
      const consent = (request.get('prompt') ?? '').split(' ').includes('consent');
      const first = !consented.has(`${clientId} ${email}`);
      consented.add(`${clientId} ${email}`);
      return request.get('access_type') === 'offline' && (consent || first);
    },
    claims: (claims) =>
      verified({
        ...claims,
        azp: claims.aud,
        ...(said.hostedDomain === undefined ? {} : { hd: said.hostedDomain }),
      }),
    userInfo: verified,
    revokeUnknown: (response) => sendJson(response, 400, { error: 'invalid_token' }),
  });
  return Object.assign(said, standIn);
}
