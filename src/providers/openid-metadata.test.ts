import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutboundFetch } from './dialler.ts';
import { discover, judgeMetadata } from './openid-metadata.ts';

const document = {
  issuer: 'https://idp.example/realm',
  authorization_endpoint: 'https://idp.example/authorize',
  token_endpoint: 'https://idp.example/token',
  jwks_uri: 'https://idp.example/keys',
};
const refused = { name: 'ServiceError', code: 'provider_error' };

test('judgeMetadata() believes metadata of the configured issuer alone (Discovery 4.3)', () => {
  assert.equal(judgeMetadata('https://idp.example/realm', document).token_endpoint, document.token_endpoint);
  const slash = { ...document, issuer: 'https://idp.example' };
  assert.equal(judgeMetadata('https://idp.example/', slash).issuer, 'https://idp.example');
  for (const issuer of [
    'https://idp.example/other',
    'https://idp.example/realm/',
    'http://idp.example/realm',
    '',
    7,
  ])
    assert.throws(
      () => judgeMetadata('https://idp.example/realm', { ...document, issuer }),
      refused,
      String(issuer),
    );
  const template = { ...document, issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' };
  assert.throws(() => judgeMetadata('https://login.microsoftonline.com/common/v2.0', template), refused);
  for (const nothing of [null, [], 'text', 7])
    assert.throws(() => judgeMetadata(document.issuer, nothing), refused);
});

test('judgeMetadata() needs the endpoints that a login needs', () => {
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'])
    assert.throws(() => judgeMetadata(document.issuer, { ...document, [name]: undefined }), refused, name);
});

test('judgeMetadata() keeps what logins use, within bounds, and refuses an address that is none', () => {
  const address = 'https://idp.example/x';
  const more = { userinfo_endpoint: address, end_session_endpoint: address, revocation_endpoint: null };
  const methods = { token_endpoint_auth_methods_supported: ['client_secret_post', 'x'.repeat(101), {}, 7] };
  const kept = judgeMetadata(document.issuer, {
    ...document,
    ...more,
    ...methods,
    x: [{}],
    scopes_supported: ['a'],
  });
  const {
    id_token_signing_alg_values_supported: _signed,
    userinfo_signing_alg_values_supported: _info,
    ...rest
  } = kept;
  assert.deepEqual(rest, {
    ...document,
    userinfo_endpoint: address,
    end_session_endpoint: address,
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  });
  const long = `${address}${'x'.repeat(2048)}`;
  for (const unusable of [{ userinfo_endpoint: long }, { token_endpoint: long }, { revocation_endpoint: {} }])
    assert.throws(() => judgeMetadata(document.issuer, { ...document, ...unusable }), refused);
});

test('judgeMetadata() leaves asymmetric algorithms only (DESIGN "PKCE, nonce")', () => {
  const offering = (list: unknown) =>
    judgeMetadata(document.issuer, { ...document, id_token_signing_alg_values_supported: list });
  assert.deepEqual(
    offering(['none', 'HS256', 'ES256', 'ML-DSA-44', 'RS256']).id_token_signing_alg_values_supported,
    ['RS256', 'ES256'],
  );
  const all = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA'.split(' ');
  assert.deepEqual(offering(undefined).id_token_signing_alg_values_supported, all);
  assert.throws(() => offering(['none', 'HS512']), refused);
  const userInfo = judgeMetadata(document.issuer, {
    ...document,
    userinfo_signing_alg_values_supported: ['none'],
  });
  assert.deepEqual(userInfo.userinfo_signing_alg_values_supported, all);
});

test('discover() asks at the issuer, with or without a slash at its end', async () => {
  const asked: string[] = [];
  const fetch: OutboundFetch = async (url) => {
    asked.push(url);
    return Response.json({ ...document, issuer: 'https://idp.example/' });
  };
  await discover({ issuer: 'https://idp.example/', discoveryUrl: null }, fetch);
  await discover({ issuer: 'https://idp.example', discoveryUrl: null }, fetch);
  const address = 'https://idp.example/.well-known/openid-configuration';
  assert.deepEqual(asked, [address, address]);
});
