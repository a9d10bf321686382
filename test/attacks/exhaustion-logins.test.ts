// ATTACKS.md "Exhaustion" of a provider that many share: neither one visitor nor strangers without any credential keep others from
// logging in there, or from having their sessions checked.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { SessionId } from '../../src/domain/id.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { CHECK_INTERVAL_MS, type LoginFrontend, startLoginFrontend } from '../support/login-frontend.ts';
import { CLIENT, providerSettings } from '../support/providers/log-in-at.ts';
import { sendJson } from '../support/providers/loopback-server.ts';
import { startOpenIdStandIn, type OpenIdHooks } from '../support/providers/openid-stand-in.ts';

test('Exhaustion: a limit that one visitor’s token has used up stops nobody else’s session check, and no login', async (t) => {
  await using frontend = await startLoginFrontend();
  let limited = false;
  await useStandIn(t, frontend, {
    intercept(_request, response, path) {
      if (!limited || path !== '/userinfo') return false;
      response.setHeader('retry-after', '3600');
      sendJson(response, 503, {});
      return true;
    },
  });
  const share = await frontend.addShare({ provider: 'corp' });
  const session = async (email: string): Promise<SessionId> => {
    const browser = frontend.browser();
    await walkLogin(browser, frontend.startUrl(share), { email });
    const [found] = frontend.sessions(browser);
    assert.ok(found);
    return found.id;
  };
  const ofVisitor = await session('visitor@example.com');
  const ofOther = await session('other@example.com');
  frontend.clock.aheadMs = CHECK_INTERVAL_MS;
  const recheck = frontend.newRecheck();
  limited = true;
  assert.deepEqual(await recheck(ofVisitor), { kind: 'unavailable' });
  assert.deepEqual(await frontend.newRecheck()(ofVisitor), { kind: 'unavailable' });
  limited = false;
  await session('third@example.com');
  assert.equal((await recheck(ofOther)).kind, 'session');
});

async function useStandIn(t: TestContext, frontend: LoginFrontend, hooks: OpenIdHooks) {
  const clients = [{ ...CLIENT, redirectUris: [frontend.redirectUri('corp')] }];
  const standIn = await startOpenIdStandIn({ clients }, hooks);
  t.after(standIn.close);
  frontend.useProviders([providerSettings({ issuer: standIn.issuer })]);
  return standIn;
}
