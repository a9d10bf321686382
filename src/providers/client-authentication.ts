// How a client proves itself at a token endpoint (RFC 6749 section 2.3.1): by Basic, or in the body, and in
// the other way when the first is refused. A registration fixes one way, and metadata only say which ways
// some client may use. A client with a key of its own has one way alone.

import * as oidc from 'openid-client';
import type { ClientCredential } from '../domain/client-credential.ts';
import { ServiceError } from '../domain/service-error.ts';
import { clientAssertion } from './client-assertion.ts';
import { isClientRefused } from './provider-fault.ts';

/** Makes a call in the way that worked last, and in the other one when the provider refuses the client. */
export type ClientAuthentication = <Answer>(
  call: (way: oidc.ClientAuth) => Promise<Answer>,
) => Promise<Answer>;

/** Throws `config_invalid` when the client has nothing to prove itself with. */
export function createClientAuthentication(
  metadata: oidc.ServerMetadata,
  credential: ClientCredential,
): ClientAuthentication {
  let ways = waysOf(metadata, credential);
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

function waysOf(metadata: oidc.ServerMetadata, { clientSecret, clientKey = null }: ClientCredential): Ways {
  if (clientKey !== null) return [clientAssertion(metadata, clientKey)];
  if (clientSecret !== null) return secretWays(metadata, clientSecret.reveal());
  throw new ServiceError('config_invalid', 'Cannot authenticate: there is neither a client secret nor a key');
}

/** Basic is what every server must know; the body alone only where the metadata name no Basic. */
function secretWays(
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
 * RFC 6749 section 2.3.1 asks for form encoding, which many providers do not undo: so only what must be is
 * encoded, and secrets of letters, digits and `-._~` come out as they are.
 */
function basicCredentials(id: string, secret: string): string {
  const text = [id, secret].map((each) => encodeURIComponent(each).replaceAll('%20', '+')).join(':');
  return `Basic ${Buffer.from(text).toString('base64')}`;
}
