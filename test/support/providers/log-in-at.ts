// Logs in at a provider with a browser by hand, as far as the callback: what `login/` does around a Provider,
// without it.

import assert from 'node:assert/strict';
import { Secret } from '../../../src/domain/secret.ts';
import { randomToken } from '../../../src/domain/secret.ts';
import { createProviders } from '../../../src/providers/create.ts';
import type { ProviderSettings } from '../../../src/domain/provider-settings.ts';
import type { AuthorizeStart, CallbackResponse, Provider, Tokens } from '../../../src/providers/provider.ts';
import { createBrowser, walkLogin } from '../browser-by-hand.ts';
import type { Browser } from '../browser-by-hand.ts';

/** Where stand-ins send the browser back to. Nothing listens there: the walk stops before. */
export const REDIRECT_URI = 'http://auth.share.localhost:9/corp/auth/callback';
export const CLIENT = {
  clientId: 'client-1',
  clientSecret: 'secret of client 1: +/%&=',
  redirectUris: [REDIRECT_URI],
} as const;

/** Settings of a provider `corp` for `CLIENT`, with what is given in place of the defaults. */
export function providerSettings(settings: Partial<ProviderSettings>): ProviderSettings {
  return {
    name: 'corp',
    type: 'oidc',
    clientId: CLIENT.clientId,
    clientSecret: new Secret(CLIENT.clientSecret),
    scopes: ['openid', 'email'],
    issuer: null,
    supportsPkce: true,
    prompt: null,
    requireVerifiedEmail: false,
    baseUrl: null,
    apiUrl: null,
    ...settings,
  };
}

export function providerOf(settings: Partial<ProviderSettings>, now: () => number = Date.now): Provider {
  const provider = createProviders([providerSettings(settings)], { now }).get('corp');
  assert.ok(provider);
  return provider;
}

type AskedLogin = Partial<Pick<AuthorizeStart, 'selectAccount' | 'consentOf'>> & {
  readonly browser?: Browser;
};

/** The response with which a login of `email` ends, ready for `exchange`. */
export async function authorizeAt(
  provider: Provider,
  email: string,
  options: AskedLogin = {},
): Promise<CallbackResponse> {
  const start = {
    redirectUri: REDIRECT_URI,
    state: randomToken(),
    nonce: randomToken(),
    codeVerifier: provider.usesPkce ? randomToken() + randomToken() : null,
    selectAccount: options.selectAccount ?? false,
    ...(options.consentOf === undefined ? {} : { consentOf: options.consentOf }),
  };
  const url = await provider.authorizeUrl(start);
  const until = (next: URL) => next.href.startsWith(REDIRECT_URI);
  const walk = await walkLogin(options.browser ?? createBrowser(), url, { email, until });
  assert.ok(
    walk.stopped,
    `the provider did not send back: ${walk.last.status} ${walk.last.body.slice(0, 300)}`,
  );
  return { ...start, url: walk.stopped };
}

export async function logInAt(provider: Provider, email: string, options: AskedLogin = {}) {
  const tokens = await provider.exchange(await authorizeAt(provider, email, options));
  return { tokens, identity: await provider.identify(tokens) };
}

/** What a refresh gave; null when the token is spent. Throws when the answer was refused. */
export async function refreshAt(provider: Provider, tokens: Tokens): Promise<Tokens | null> {
  const answer = (await provider.refresh?.(tokens)) ?? null;
  if (answer !== null && 'refused' in answer) throw new Error(`the answer was refused: ${answer.refused}`);
  return answer;
}
