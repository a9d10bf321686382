// `oidc` with a private key in place of a secret (OpenID Connect Core section 9, RFC 7523), against the
// certified provider.

import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { test, type TestContext } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { Secret } from '../../src/domain/secret.ts';
import { createProvider } from '../../src/providers/create.ts';
import { createDialler, type OutboundFetch } from '../../src/providers/dialler.ts';
import { examineProvider } from '../../src/providers/examine.ts';
import { createClientKey, type TestClientKey } from '../support/client-keys.ts';
import { CLIENT, logInAt, providerSettings, refreshAt } from '../support/providers/log-in-at.ts';
import { startOidcProvider, type OidcProviderOptions } from '../support/providers/oidc-provider.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const EMAIL = 'ann@example.com';

/** A client that the provider knows by this key, and all that it sends. */
async function start(
  context: TestContext,
  { pem, jwk }: TestClientKey,
  options: Partial<OidcProviderOptions> = {},
) {
  const { clientId, redirectUris } = CLIENT;
  const standIn = await startOidcProvider({ clients: [{ clientId, redirectUris, keys: [jwk] }], ...options });
  context.after(() => standIn.close());
  const sent: { readonly url: string; readonly headers: string; readonly body: URLSearchParams }[] = [];
  const dialler = createDialler({
    allow: 'operator',
    ownListeners: [],
    refused: 'provider_error',
    unreachable: 'provider_unreachable',
  });
  const fetch: OutboundFetch = (url, request) => {
    const body = new URLSearchParams(String(request.body ?? ''));
    sent.push({ url, headers: inspect(request.headers), body });
    return dialler.fetch(url, request);
  };
  const settingsOf = (key: string, keyId: string | null = null) =>
    providerSettings({
      issuer: standIn.issuer,
      clientSecret: null,
      clientKey: { pem: new Secret(key), keyId },
    });
  const deps = { fetch, now: Date.now };
  const providerOf = (key = pem, keyId: string | null = null) => createProvider(settingsOf(key, keyId), deps);
  const assertions = () => sent.flatMap(({ body }) => body.get('client_assertion') ?? []);
  return { standIn, sent, settingsOf, providerOf, assertions, deps };
}

for (const [kind, alg, only] of [
  ['RSA', 'RS256', undefined],
  ['RSA', 'PS256', ['PS256', 'ES256']],
  ['P-256', 'ES256', undefined],
  ['P-384', 'ES384', undefined],
  ['Ed25519', 'EdDSA', undefined],
  ['Ed25519', 'Ed25519', ['Ed25519']],
] as const)
  test(`a key of ${kind} logs in, refreshes and revokes by ${alg}, with an assertion of its own for each call`, async (context) => {
    const options = only === undefined ? {} : { assertionAlgorithms: only };
    const { standIn, sent, providerOf, assertions } = await start(
      context,
      createClientKey(kind, 'key-1'),
      options,
    );
    const provider = providerOf(undefined, 'key-1');
    const { identity, tokens } = await logInAt(provider, EMAIL);
    assert.equal(identity.email, EMAIL);
    const fresh = await refreshAt(provider, tokens);
    assert.ok(fresh);
    await provider.revoke?.(fresh, AbortSignal.timeout(PROMPTLY_MS));
    assert.deepEqual(standIn.revoked, [fresh.refreshToken?.reveal(), fresh.accessToken.reveal()]);
    assert.equal(await refreshAt(provider, fresh), null, 'revoked');
    const all = assertions();
    assert.equal(all.length, 5, 'login, refresh, two revocations, refresh');
    const claims = all.map((each) => decodeJwt(each));
    for (const [index, { iss, sub, aud, exp = 0, iat = 0 }] of claims.entries()) {
      assert.deepEqual(decodeProtectedHeader(all[index]!), { alg, kid: 'key-1' });
      const { clientId } = CLIENT;
      assert.deepEqual({ iss, sub, aud }, { iss: clientId, sub: clientId, aud: standIn.issuer });
      assert.ok(exp - iat <= 60);
    }
    assert.equal(new Set(claims.map(({ jti }) => jti)).size, all.length);
    for (const { headers, body } of sent) {
      assert.doesNotMatch(headers, /authorization.*Basic/i);
      assert.equal(body.get('client_secret'), null);
    }
  });

test('a key that the provider does not know is a fault of the provider, and ends no session', async (context) => {
  const { providerOf } = await start(context, createClientKey('P-256'));
  const { tokens } = await logInAt(providerOf(), EMAIL);
  const { pem } = createClientKey('P-256');
  const wrong = providerOf(pem);
  const refused = { code: 'provider_error', message: /returned invalid_client/, hint: /private key/ };
  await assert.rejects(logInAt(wrong, EMAIL), (error: Error) => {
    assert.ok(!inspect(error, { depth: 9 }).includes(pem.split('\n')[1] ?? pem), 'the key is not told');
    assert.doesNotMatch(inspect(error, { depth: 9 }), /eyJ/, 'nor what it signed');
    assert.throws(() => {
      throw error;
    }, refused);
    return true;
  });
  await assert.rejects(refreshAt(wrong, tokens), refused);
  assert.ok(await refreshAt(providerOf(), tokens), 'the refresh token was not spent');
});

test('another key is no new generation', async (context) => {
  const { providerOf } = await start(context, createClientKey('P-256'));
  assert.equal(providerOf().generation, providerOf(createClientKey('RSA').pem, 'other').generation);
});

test('examineProvider() sends the assertion that a login sends, and tells a wrong key', async (context) => {
  const { settingsOf, deps, assertions } = await start(context, createClientKey('Ed25519'));
  const credentials = async (key: string) => {
    const { checks } = await examineProvider(settingsOf(key), {
      ...deps,
      endpointUrl: new URL('http://auth.share.localhost:9'),
    });
    return checks.find(({ name }) => name === 'credentials');
  };
  const wrong = await credentials(createClientKey('Ed25519').pem);
  assert.deepEqual(
    [wrong?.state, wrong?.found],
    ['fail', 'the provider returns invalid_client for the client id and private key'],
  );
  assert.equal(assertions().length, 1);
});
