// oidc-provider set up for trying: rotating refresh tokens for whoever asks for offline access, PKCE,
// revocation, logout by the client, and never a question but "who are you?".

import type { Context, Grant } from 'oidc-provider';
import type Provider from 'oidc-provider';
import type * as library from 'oidc-provider';
import type { DevKeys } from './keys.ts';
import { createMemory } from './memory.ts';
import { faultPage, logOutPage, loggedOutPage, writePage } from './page.ts';
import { findPerson, type Person } from './people.ts';

export type DevClient = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name?: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[];
};

export async function createProvider(parts: {
  readonly issuer: string;
  readonly clients: readonly DevClient[];
  readonly people: readonly Person[];
  readonly keys: DevKeys;
}): Promise<Provider> {
  const { default: OidcProvider, interactionPolicy } = await importQuietly();
  return new OidcProvider(parts.issuer, {
    adapter: createMemory(),
    clients: parts.clients.map(clientMetadata),
    jwks: { keys: parts.keys.jwks },
    cookies: { keys: [parts.keys.cookieKey], names: COOKIE_NAMES },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    scopes: SCOPES,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true, allowedPolicy: isOwnToken },
      rpInitiatedLogout: { enabled: true, logoutSource, postLogoutSuccessSource },
    },
    interactions: {
      policy: policyOf(interactionPolicy),
      url: (_context: Context, interaction: { readonly uid: string }) => `/interaction/${interaction.uid}`,
    },
    ttl: TTL_SECONDS,
    rotateRefreshToken: true,
    clientBasedCORS: () => false,
    findAccount: (_context: Context, sub: string) => accountOf(parts.people, sub),
    loadExistingGrant: grantEverything,
    renderError: (context: Context, out: Readonly<Record<string, unknown>>) =>
      writePage(context, faultPage(out)),
  });
}

/**
 * The path of an authorization request with `consent` among its prompts when it asks for offline access.
 * OpenID Connect Core section 11 wants consent for that, and oidc-provider leaves the scope out without it;
 * here nobody is asked, so whoever asks for a refresh token gets one.
 */
export function withConsentForOfflineAccess(path: string): string {
  if (!path.startsWith('/auth?')) return path;
  const query = new URLSearchParams(path.slice('/auth?'.length));
  const scopes = query.get('scope')?.split(' ') ?? [];
  const prompts = query.get('prompt')?.split(' ') ?? [];
  if (!scopes.includes('offline_access') || prompts.includes('none') || prompts.includes('consent'))
    return path;
  query.set('prompt', [...prompts, 'consent'].join(' '));
  return `/auth?${query}`;
}

function clientMetadata(client: DevClient): Readonly<Record<string, unknown>> {
  return {
    client_id: client.clientId,
    client_secret: client.clientSecret,
    client_name: client.name ?? client.clientId,
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris ?? [],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

/** Login and account selection are prompts of the login page; consent is granted without a question. */
function policyOf({ base, Prompt }: Library['interactionPolicy']) {
  const policy = base();
  policy.get('consent')?.checks.clear();
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0);
  return policy;
}

function accountOf(people: readonly Person[], sub: string) {
  const person = findPerson(people, sub);
  if (person === null) return undefined;
  const { email, name, emailVerified = true } = person;
  return { accountId: email, claims: () => ({ sub: email, email, email_verified: emailVerified, name }) };
}

async function grantEverything(context: Context): Promise<Grant> {
  const { provider, client, session } = context.oidc;
  const known = session.grantIdFor(client.clientId);
  const existing = known === undefined ? undefined : await provider.Grant.find(known);
  if (existing !== undefined) return existing;
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope(SCOPES.join(' '));
  await grant.save();
  return grant;
}

/** RFC 7009 section 2.1: a client revokes the tokens that were issued to it, and no others. */
function isOwnToken(
  _context: Context,
  client: { readonly clientId: string },
  token: { readonly clientId: string },
): boolean {
  return token.clientId === client.clientId;
}

function logoutSource(context: Context, form: string): void {
  writePage(context, logOutPage(form));
}

function postLogoutSuccessSource(context: Context): void {
  writePage(context, loggedOutPage());
}

/** Whether the library is there: the published package brings it only to those who ask for it. */
export async function isLibraryInstalled(): Promise<boolean> {
  return importQuietly().then(
    () => true,
    (error: unknown) => {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === 'ERR_MODULE_NOT_FOUND' && String(error).includes("'oidc-provider'")) return false;
      throw error;
    },
  );
}

/**
 * The library warns on the console about every Node line that is not LTS yet; that is no news to who tries
 * this.
 */
async function importQuietly(): Promise<Library> {
  const { console } = globalThis;
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}

type Library = typeof library;

const SCOPES = ['openid', 'email', 'profile', 'offline_access'];

// Cookies know no ports: names of its own keep them apart from whatever else runs on this machine.
const COOKIE_NAMES = {
  session: 'devidp_session',
  interaction: 'devidp_interaction',
  resume: 'devidp_resume',
};

// Short access tokens, as hosted providers give them; the rest lasts about a day of trying.
const HOUR = 60 * 60;
const TTL_SECONDS = {
  AccessToken: HOUR,
  AuthorizationCode: 60,
  Grant: 24 * HOUR,
  IdToken: HOUR,
  Interaction: HOUR,
  RefreshToken: 24 * HOUR,
  Session: 24 * HOUR,
};
