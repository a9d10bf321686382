import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateKeyPair, SignJWT } from 'jose';
import { type LogoutTokenRules, verifyLogoutToken } from './logout-token.ts';

const NOW = Date.UTC(2030, 0, 1);
const CLAIMS = {
  iss: 'https://id.example',
  aud: 'client-1',
  iat: NOW / 1000 - 5,
  exp: NOW / 1000 + 120,
  jti: 'token 1',
  sub: 'ann',
  events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
};
const RULES: Omit<LogoutTokenRules, 'keySet'> = {
  issuer: CLAIMS.iss,
  clientId: CLAIMS.aud,
  algorithms: undefined,
  now: NOW,
};

test('verifyLogoutToken() takes the algorithms of id tokens alone, whatever key the key set gives', async () => {
  const secret = new Uint8Array(32);
  const hmac = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'HS256' }).sign(secret);
  await assert.rejects(verifyLogoutToken(hmac, { ...RULES, keySet: async () => secret as never }), {
    code: 'ERR_JOSE_ALG_NOT_ALLOWED',
  });
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const token = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
  const keySet = async () => publicKey;
  assert.equal((await verifyLogoutToken(token, { ...RULES, keySet })).id, 'token 1');
  await assert.rejects(verifyLogoutToken(token, { ...RULES, keySet, algorithms: ['ES256'] }), {
    code: 'ERR_JOSE_ALG_NOT_ALLOWED',
  });
});

test('verifyLogoutToken() says until when the token counts: its expiry, an hour at most, and the tolerance', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const expiresAt = async (exp: number | undefined) => {
    const { exp: _, ...claims } = CLAIMS;
    const token = await new SignJWT(exp === undefined ? claims : { ...claims, exp })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(privateKey);
    return (await verifyLogoutToken(token, { ...RULES, keySet: async () => publicKey })).expiresAt;
  };
  assert.equal(await expiresAt(NOW / 1000 + 120), NOW + 420_000);
  assert.equal(await expiresAt(NOW / 1000 + 10_000_000), NOW - 5_000 + 3_600_000 + 300_000);
  // Without an end of its own: five minutes from its issue.
  assert.equal(await expiresAt(undefined), NOW - 5_000 + 300_000 + 300_000);
});
