// The caller of the control API as programs on Node use it.

import type { ClientOptions } from './call-api.ts';
import { type Client, createClient } from './client.ts';
import { type ClientCertificate, open, send } from './send.ts';

export type NodeClientOptions = Omit<ClientOptions, 'send' | 'open'> & {
  /** None unless given. */
  readonly clientCertificate?: ClientCertificate | null | undefined;
};

export function createNodeClient({ clientCertificate = null, ...options }: NodeClientOptions): Client {
  return createClient({
    ...options,
    send: (call) => send(call, clientCertificate),
    open: (call, signal) => open({ call, signal }, clientCertificate),
  });
}
