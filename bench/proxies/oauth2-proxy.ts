// oauth2-proxy before the backend, as its guide sets it up for OpenID Connect: sessions in cookies, a line in
// the log for each request. Its visitors log in at the same provider as ours. Left out where it is not on
// PATH.

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createBrowser, walkLogin } from '../../test/support/browser-by-hand.ts';
import { freePort } from '../../test/support/free-port.ts';
import { startOidcProvider } from '../../test/support/providers/oidc-provider.ts';
import { found } from './found.ts';
import type { Peer } from './peer.ts';
import { runPeer } from './run-peer.ts';

export type OAuth2Proxy = Peer & {
  readonly host: string;
  /** One Cookie header for each visitor. */
  readonly cookies: readonly string[];
};

/** Null when it is not there, or lets nobody in. */
export async function startOAuth2Proxy(backendPort: number, visitors: number): Promise<OAuth2Proxy | null> {
  const binary = found('oauth2-proxy');
  if (binary === null) return null;
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const client = { clientId: 'oauth2-proxy', clientSecret: 'of the bench, of 32 characters or more' };
  const idp = await startOidcProvider({
    clients: [{ ...client, redirectUris: [`${origin}/oauth2/callback`] }],
  });
  try {
    const peer = await runPeer({
      name: 'oauth2-proxy',
      version: versionOf(binary),
      binary,
      port,
      talkative: true,
      prepare: () =>
        Promise.resolve([
          '--provider=oidc',
          `--oidc-issuer-url=${idp.issuer}`,
          `--client-id=${client.clientId}`,
          `--client-secret=${client.clientSecret}`,
          `--redirect-url=${origin}/oauth2/callback`,
          `--http-address=127.0.0.1:${port}`,
          `--upstream=http://127.0.0.1:${backendPort}`,
          `--cookie-secret=${randomBytes(16).toString('hex')}`,
          '--cookie-secure=false',
          '--email-domain=*',
          '--insecure-oidc-allow-unverified-email',
          '--skip-provider-button',
          '--code-challenge-method=S256',
        ]),
    });
    const close = async () => {
      await peer.close();
      await idp.close();
    };
    try {
      const cookies: string[] = [];
      while (cookies.length < visitors)
        cookies.push(await logInAt(origin, `visitor-${cookies.length}@example.com`));
      return { ...peer, host: new URL(origin).host, cookies, close };
    } catch (error) {
      await peer.close();
      throw error;
    }
  } catch (error) {
    await idp.close();
    process.stderr.write(`bench: goes on without oauth2-proxy: ${String(error)}\n`);
    return null;
  }
}

async function logInAt(origin: string, email: string): Promise<string> {
  const browser = createBrowser();
  const { last } = await walkLogin(browser, `${origin}/`, { email });
  const cookie = browser.jar.header(new URL(origin));
  if (last.status !== 200 || cookie === null) throw new Error(`Cannot log in: ${last.status} at ${last.url}`);
  return cookie;
}

function versionOf(binary: string): string {
  const said = spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout;
  return /oauth2-proxy v?\d\S*/.exec(said)?.[0] ?? 'oauth2-proxy';
}
