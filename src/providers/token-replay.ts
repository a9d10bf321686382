// An id token whose issuer is spelt in the provider's other way (Google: `accounts.google.com`, without
// `https://`). The library knows one spelling and a code is good once, so the answer that came is judged
// again, all of it, with the spelling that it has.

import { decodeJwt } from 'jose';
import type { OutboundFetch } from './dialler.ts';

export type TokenReplay = {
  /** As the given one; what the token endpoint answers is remembered. */
  readonly fetch: OutboundFetch;
  /** Whether that answer has an id token of this issuer. */
  readonly isOf: (issuer: string) => boolean;
  /** Gives that answer in place of the token endpoint. */
  readonly again: OutboundFetch;
};

export function createTokenReplay(fetch: OutboundFetch, tokenEndpoint: string | undefined): TokenReplay {
  const heard: { text: string; head: ResponseInit } = { text: '', head: {} };
  return {
    async fetch(url, request) {
      const response = await fetch(url, request);
      if (url !== tokenEndpoint || response.status !== 200) return response;
      const { status, headers } = response;
      [heard.text, heard.head] = [await response.text(), { status, headers }];
      return new Response(heard.text, heard.head);
    },
    isOf: (issuer) => issuerIn(heard.text) === issuer,
    again: async (url, request) =>
      url === tokenEndpoint ? new Response(heard.text, heard.head) : fetch(url, request),
  };
}

function issuerIn(text: string): string | undefined {
  try {
    const { id_token: token } = JSON.parse(text) as { id_token?: unknown };
    return typeof token === 'string' ? decodeJwt(token).iss : undefined;
  } catch {
    return undefined;
  }
}
