// The whole service with a provider of each type on one OAuth frontend: `corp` (the certified OpenID
// provider), `goog` and `hub` (the strict stand-ins of the two hosted ones), and what of them the contract's
// tests ask about.

import type { ShareObject } from '../../src/wire/share.ts';
import { walkLogin, type Browser } from './browser-by-hand.ts';
import type { Echo } from './echo-backend.ts';
import { startStrictGitHub, type StrictGitHub } from './providers/strict-github.ts';
import { startStrictGoogle, type StrictGoogle } from './providers/strict-google.ts';
import { startTestService, type TestService, type TestServiceOptions } from './service.ts';

export type ThreeProviders = {
  readonly service: TestService;
  readonly google: StrictGoogle;
  readonly github: StrictGitHub;
  readonly types: readonly ProviderUnderTest[];
  readonly close: () => Promise<void>;
};

export type ProviderUnderTest = {
  readonly type: 'oidc' | 'google' | 'github';
  /** Its name in the configuration. */
  readonly name: string;
  /** Where its login page is. */
  readonly origin: string;
  readonly authorizations: () => readonly URLSearchParams[];
  /** Tokens revoked, or deleted, at the provider. */
  readonly revoked: () => readonly string[];
  /** Rules that requests to the provider broke. */
  readonly violations: () => readonly string[];
  /** Takes the provider away for good. */
  readonly goAway: () => Promise<void>;
};

export async function startThreeProviders(options: TestServiceOptions = {}): Promise<ThreeProviders> {
  const client = { clientId: 'doorward', clientSecret: 'the secret of a hosted client' };
  const [googleUris, githubUris]: [string[], string[]] = [[], []];
  const google = await startStrictGoogle({ clients: [{ ...client, redirectUris: googleUris }] });
  const github = await startStrictGitHub({ clients: [{ ...client, redirectUris: githubUris }] });
  const entry = { client_id: client.clientId, client_secret: client.clientSecret };
  const service = await startTestService({
    ...options,
    providers: (endpointUrl) => {
      googleUris.push(`${endpointUrl}/goog/auth/callback`);
      githubUris.push(`${endpointUrl}/hub/auth/callback`);
      return [
        { ...entry, name: 'goog', type: 'google', issuer: google.issuer },
        { ...entry, name: 'hub', type: 'github', base_url: github.baseUrl, api_url: github.apiUrl },
        ...(options.providers?.(endpointUrl) ?? []),
      ];
    },
  });
  const { idp } = service;
  const goneAway = new Set<string>();
  const once = (name: string, close: () => Promise<void>) => async () => {
    if (goneAway.has(name)) return;
    goneAway.add(name);
    await close();
  };
  const types: readonly ProviderUnderTest[] = [
    {
      type: 'oidc',
      name: 'corp',
      origin: idp.issuer,
      authorizations: () => idp.authorizations,
      revoked: () => idp.revoked,
      violations: () => [],
      goAway: idp.close,
    },
    {
      type: 'google',
      name: 'goog',
      origin: google.issuer,
      authorizations: () => google.authorizations,
      revoked: () => google.revoked,
      violations: () => google.violations,
      goAway: once('google', google.close),
    },
    {
      type: 'github',
      name: 'hub',
      origin: github.baseUrl,
      authorizations: () => github.authorizations,
      revoked: () => github.deleted,
      violations: () => github.violations,
      goAway: once('github', github.close),
    },
  ];
  return {
    service,
    google,
    github,
    types,
    async close() {
      await service.close();
      for (const { type, goAway } of types) if (type !== 'oidc') await goAway();
    },
  };
}

/** A browser that is logged in to the share, and what the backend got of the first request after that. */
export async function loggedIn(
  service: TestService,
  share: ShareObject,
  { email = 'ada@example.com', browser = service.browser(), path = '' }: Visit = {},
): Promise<{ readonly browser: Browser; readonly echo: Echo; readonly landed: URL }> {
  const { last } = await walkLogin(browser, `${share.url}${path}`, { email });
  if (last.status !== 200)
    throw new Error(`Cannot log in to ${share.url}: ${last.status} ${last.body.slice(0, 300)}`);
  return { browser, echo: JSON.parse(last.body) as Echo, landed: last.url };
}

type Visit = { readonly email?: string; readonly browser?: Browser; readonly path?: string };
