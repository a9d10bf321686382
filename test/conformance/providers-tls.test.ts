// Providers over https: certificates are always verified, and an https issuer never leads to http (DESIGN
// "Calls out").

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as tls from 'node:tls';
import { createBrowser } from '../support/browser-by-hand.ts';
import { createTestAuthority } from '../support/certificates.ts';
import type { TestAuthority } from '../support/certificates.ts';
import { examineConfigured } from '../../src/providers/examine-configured.ts';
import { CLIENT, logInAt, providerOf, providerSettings } from '../support/providers/log-in-at.ts';
import { startOidcProvider } from '../support/providers/oidc-provider.ts';
import { startOpenIdStandIn } from '../support/providers/openid-stand-in.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const EMAIL = 'ann@example.com';
const usual = tls.getCACertificates('default');
let authority: TestAuthority;

before(() => {
  authority = createTestAuthority();
});
after(() => {
  tls.setDefaultCACertificates(usual);
  authority.dispose();
});

function pairFor(name: string) {
  const { certificate, key } = authority.issue([name]);
  return { cert: certificate, key };
}

test('oidc over https: logs in when the authority is trusted, and only then, whatever the environment says', async (context) => {
  const hostname = 'idp.share.localhost';
  const standIn = await startOidcProvider({ clients: [CLIENT], hostname, tls: pairFor(hostname) });
  context.after(() => standIn.close());
  const { NODE_TLS_REJECT_UNAUTHORIZED: usually } = process.env;
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  try {
    await assert.rejects(logInAt(providerOf({ issuer: standIn.issuer }), EMAIL), {
      code: 'provider_unreachable',
    });
  } finally {
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    if (usually !== undefined) process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = usually;
  }
  tls.setDefaultCACertificates([...usual, authority.ca]);
  const browser = createBrowser({ ca: authority.ca });
  const { identity } = await logInAt(providerOf({ issuer: standIn.issuer }), EMAIL, { browser });
  assert.equal(identity.email, EMAIL);
});

test('a provider’s own CA file is believed for that provider alone, and instead of the public authorities (2.2 ca_file)', async (context) => {
  tls.setDefaultCACertificates(usual);
  const hostname = 'idp.share.localhost';
  const standIn = await startOidcProvider({ clients: [CLIENT], hostname, tls: pairFor(hostname) });
  context.after(() => standIn.close());
  const { issuer } = standIn;
  const browser = createBrowser({ ca: authority.ca });
  const own = { issuer, trustedAuthorities: authority.ca };
  const { identity, tokens } = await logInAt(providerOf(own), EMAIL, { browser });
  assert.equal(identity.email, EMAIL);
  await providerOf(own).revoke?.(tokens, AbortSignal.timeout(PROMPTLY_MS));
  const { checks } = await examineConfigured(providerSettings(own), {
    now: Date.now,
    endpointUrl: new URL(new URL(CLIENT.redirectUris[0]).origin),
  });
  assert.equal(checks.find(({ name }) => name === 'discovery')?.state, 'ok', JSON.stringify(checks));
  const refused = { code: 'provider_unreachable' };
  await assert.rejects(logInAt(providerOf({ issuer }), EMAIL, { browser }), refused, 'another provider');
  tls.setDefaultCACertificates([...usual, authority.ca]);
  const other = createTestAuthority();
  context.after(() => other.dispose());
  const elsewhere = { issuer, trustedAuthorities: other.ca };
  await assert.rejects(
    logInAt(providerOf(elsewhere), EMAIL, { browser }),
    refused,
    'instead of the public CAs',
  );
});

test('oidc over https: a certificate for another name is refused', async (context) => {
  tls.setDefaultCACertificates([...usual, authority.ca]);
  const standIn = await startOidcProvider({
    clients: [CLIENT],
    hostname: 'idp.share.localhost',
    tls: pairFor('other.share.localhost'),
  });
  context.after(() => standIn.close());
  await assert.rejects(logInAt(providerOf({ issuer: standIn.issuer }), EMAIL), {
    code: 'provider_unreachable',
  });
});

test('oidc over https: metadata that name http endpoints are refused', async (context) => {
  tls.setDefaultCACertificates([...usual, authority.ca]);
  const hostname = 'idp.share.localhost';
  for (const endpoint of ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint']) {
    const standIn = await startOpenIdStandIn(
      { clients: [CLIENT], hostname, tls: pairFor(hostname) },
      { metadata: (document) => ({ ...document, [endpoint]: 'http://127.0.0.1:1/plain' }) },
    );
    context.after(() => standIn.close());
    const browser = createBrowser({ ca: authority.ca });
    const login = logInAt(providerOf({ issuer: standIn.issuer }), EMAIL, { browser });
    await assert.rejects(login, { code: 'provider_error' }, endpoint);
  }
});
