// How a client proves itself at a token endpoint (RFC 6749 section 2.3.1): by Basic, or in the body, and in the other way when
// the first is refused. A registration fixes one way, and metadata only say which ways some client may use.

import * as oidc from 'openid-client';
import { isClientRefused } from './provider-fault.ts';

/** Makes a call in the way that worked last, and in the other one when the provider refuses the client. */
export type ClientAuthentication = <Answer>(
  call: (way: oidc.ClientAuth) => Promise<Answer>,
) => Promise<Answer>;

export function createClientAuthentication(
  metadata: oidc.ServerMetadata,
  secret: string,
): ClientAuthentication {
  let ways = waysOf(metadata, secret);
  return async (call) => {
    const [first, second] = ways;
    let refused: unknown;
    try {
      return await call(first);
    } catch (error) {
      if (second === undefined || !isClientRefused(error)) throw error;
      refused = error;
    }
    try {
      const answer = await call(second);
      ways = [second, first];
      return answer;
    } catch (error) {
      // Refused in both ways: what the way said that the provider prefers tells more.
      throw isClientRefused(error) ? refused : error;
    }
  };
}

type Ways = readonly [oidc.ClientAuth, oidc.ClientAuth?];

/** Basic is what every server must know; the body alone only where the metadata name no Basic. */
function waysOf(
  { token_endpoint_auth_methods_supported: offered }: oidc.ServerMetadata,
  secret: string,
): Ways {
  const basic: oidc.ClientAuth = (_server, client, _body, headers) => {
    headers.set('authorization', basicCredentials(client.client_id, secret));
  };
  const post = oidc.ClientSecretPost(secret);
  const bodyOnly =
    Array.isArray(offered) &&
    offered.includes('client_secret_post') &&
    !offered.includes('client_secret_basic');
  return bodyOnly ? [post] : [basic, post];
}

/**
 * RFC 6749 section 2.3.1 asks for form encoding, which many providers do not undo: so only what must be is encoded, and
 * secrets of letters, digits and `-._~` come out as they are.
 */
function basicCredentials(id: string, secret: string): string {
  const text = [id, secret].map((each) => encodeURIComponent(each).replaceAll('%20', '+')).join(':');
  return `Basic ${Buffer.from(text).toString('base64')}`;
}
