// A provider whose login page is a host below the share domain, where one person is logged in for good: a
// login there needs no click, and every redirect of it stays on one site. For what other pages can make a
// browser do.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { startOpenIdStandIn, type OpenIdStandIn } from './openid-stand-in.ts';

export type SameSiteProvider = {
  readonly standIn: OpenIdStandIn;
  /** Who is logged in there. */
  person: string;
  /** The entry of the configuration; to be called once, with what redirects come back to. */
  readonly entry: (endpointUrl: string) => Readonly<Record<string, unknown>>;
  readonly close: () => Promise<void>;
};

export async function startSameSiteProvider(name: string, person: string): Promise<SameSiteProvider> {
  const redirectUris: string[] = [];
  const provider = { person };
  let loginPage = '';
  const standIn = await startOpenIdStandIn(
    { clients: [{ clientId: 'doorward', clientSecret: SECRET, redirectUris }] },
    {
      metadata: (document) => ({ ...document, authorization_endpoint: loginPage }),
      intercept: (request, response, path) => {
        if (request.method !== 'GET' || path !== '/authorize') return false;
        void logInSilently(standIn.issuer, provider.person, { request, response });
        return true;
      },
    },
  );
  return Object.assign(provider, {
    standIn,
    close: standIn.close,
    entry: (endpointUrl: string) => {
      redirectUris.push(`${endpointUrl}/${name}/auth/callback`);
      loginPage = `${endpointUrl.replace('//login.', '//id.')}/authorize`;
      return {
        name,
        type: 'oidc',
        client_id: 'doorward',
        client_secret: SECRET,
        issuer: standIn.issuer,
        scopes: ['openid', 'email'],
        supports_pkce: true,
        require_verified_email: true,
      };
    },
  });
}

/** What the person's own click would have led to. */
async function logInSilently(
  issuer: string,
  email: string,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  const answer = await fetch(`${issuer}${request.url}`, {
    method: 'POST',
    body: new URLSearchParams({ email }),
    redirect: 'manual',
  });
  response.writeHead(answer.status, { location: answer.headers.get('location') ?? '' }).end();
}

const SECRET = 'a client secret for tests';
