// THREATS "Email and identity", for refreshes: an answer that is another person's or of another login (OpenID
// Connect Core section 12.2). Its tokens are never stored or used; the session ends; they are revoked. On
// both engines.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JWTPayload } from 'jose';
import { createRecheck } from '../../src/login/recheck.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { CHECK_INTERVAL_MS, startLoginFrontend } from '../support/login-frontend.ts';
import { onEngines, type OpenStore } from '../support/on-engines.ts';
import { CLIENT, providerSettings } from '../support/providers/log-in-at.ts';
import { startOpenIdStandIn } from '../support/providers/openid-stand-in.ts';

const EMAIL = 'ann@example.com';

onEngines('refreshes', ({ openStore }) => {
  describe('Email and identity: an answer of another login to a refresh ends the session, and its tokens are revoked', () => {
    const wrong: Readonly<Record<string, readonly [reason: string, change: object]>> = {
      'another subject': ['subject_changed', { sub: 'somebody else' }],
      'another issuer': ['id_token_changed', { iss: 'https://accounts.example' }],
      'another audience': ['id_token_changed', { aud: 'another client' }],
      'another authorized party': ['id_token_changed', { azp: 'another client' }],
      'another login there': ['id_token_changed', { auth_time: 2 }],
      'a token of before the login': ['id_token_changed', { iat: 1_000_000 }],
    };
    for (const [name, [reason, change]] of Object.entries(wrong))
      test(name, async () => {
        await using at = await dueSession(openStore);
        at.provider.change = { ...change };
        await at.check();
        assert.equal((await at.frontend.store.sessions.find(at.id))?.endReason, reason);
        assert.deepEqual(at.stored, [], 'nothing of it was stored');
        assert.equal(at.standIn.counts.userInfos, at.userInfosBefore, 'nothing of it was used');
        assert.equal(at.frontend.events.at(-1)?.reason, reason);
        const [fresh] = at.provider.given;
        assert.ok(fresh && at.standIn.revoked.includes(fresh), 'its access token was revoked');
      });
  });

  test('Email and identity: without an id token the user info of a refresh must be of the same subject', async () => {
    await using at = await dueSession(openStore);
    at.provider.withoutIdToken = true;
    await at.check();
    assert.equal((await at.frontend.store.sessions.state(at.id))?.ended, false);
    at.frontend.clock.aheadMs += CHECK_INTERVAL_MS;
    at.provider.userInfoSubject = 'somebody else';
    await at.check();
    assert.equal((await at.frontend.store.sessions.find(at.id))?.endReason, 'subject_changed');
    const fresh = at.provider.given.at(-1);
    assert.ok(fresh && at.standIn.revoked.includes(fresh));
  });

  test('Email and identity: the same person’s answer to a refresh goes on', async () => {
    await using at = await dueSession(openStore);
    await at.check();
    assert.equal((await at.frontend.store.sessions.state(at.id))?.ended, false);
    assert.equal(at.stored.length, 1);
  });
});

async function dueSession(openStore: OpenStore) {
  const frontend = await startLoginFrontend(openStore);
  const provider = {
    change: {} as JWTPayload,
    withoutIdToken: false,
    userInfoSubject: null as string | null,
    given: [] as string[],
  };
  let isRefresh = false;
  const standIn = await startOpenIdStandIn(
    { clients: [{ ...CLIENT, redirectUris: [frontend.redirectUri('corp')] }] },
    {
      claims: (claims) => ({ auth_time: 1, ...claims, ...(isRefresh ? provider.change : {}) }),
      tokenAnswer: (answer) => {
        if (isRefresh) provider.given.push(String(answer['access_token']));
        const { id_token: idToken, ...rest } = answer;
        return isRefresh && provider.withoutIdToken ? rest : { ...rest, id_token: idToken };
      },
      userInfo: (claims) =>
        isRefresh && provider.userInfoSubject !== null
          ? { ...claims, sub: provider.userInfoSubject }
          : claims,
    },
  );
  frontend.useProviders([providerSettings({ issuer: standIn.issuer })]);
  const share = await frontend.addShare({ provider: 'corp' });
  const browser = frontend.browser();
  await walkLogin(browser, frontend.startUrl(share), { email: EMAIL });
  const [session] = frontend.sessions(browser);
  assert.ok(session);
  isRefresh = true;
  frontend.clock.aheadMs = CHECK_INTERVAL_MS;
  const { sessions } = frontend.store;
  const stored: string[] = [];
  const recheck = createRecheck({
    ...frontend.deps,
    sessions: {
      ...sessions,
      storeTokens: async (lease, tokens) => {
        stored.push(tokens.accessToken.reveal());
        return sessions.storeTokens(lease, tokens);
      },
    },
  });
  return {
    frontend,
    provider,
    standIn,
    stored,
    id: session.id,
    userInfosBefore: standIn.counts.userInfos,
    check: () => recheck(session.id),
    async [Symbol.asyncDispose]() {
      await standIn.close();
      await frontend[Symbol.asyncDispose]();
    },
  };
}
