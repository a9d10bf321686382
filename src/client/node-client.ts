// The caller of the control API as programs on Node use it.

import type { ClientOptions } from './call-api.ts';
import { type Client, createClient } from './client.ts';
import { type OAuthCalls, oauthCalls } from './oauth-calls.ts';
import { type ClientCertificate, open, send, type SendHow } from './send.ts';

export type NodeClientOptions = Omit<ClientOptions, 'send' | 'open'> & {
  /** None unless given. */
  readonly clientCertificate?: ClientCertificate | null | undefined;
  /** Straight there unless given. */
  readonly wayTo?: SendHow['wayTo'];
};

/** For what needs no credential: the client certificate alone is shown, where there is one. */
export function createNodeOAuth({
  url,
  clientCertificate = null,
  wayTo = () => null,
}: Pick<NodeClientOptions, 'url' | 'clientCertificate' | 'wayTo'>): OAuthCalls {
  return oauthCalls(url, (call) => send(call, { clientCertificate, wayTo }));
}

export function createNodeClient({
  clientCertificate = null,
  wayTo = () => null,
  ...options
}: NodeClientOptions): Client {
  const how = { clientCertificate, wayTo };
  return createClient({
    ...options,
    send: (call) => send(call, how),
    open: (call, signal) => open({ call, signal }, how),
  });
}
