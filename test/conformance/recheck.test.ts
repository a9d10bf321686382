// The check interval against the certified provider, with refresh tokens that rotate (contract 3; DESIGN
// "Check interval"). On both engines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderSettings } from '../../src/domain/provider-settings.ts';
import { Secret } from '../../src/domain/secret.ts';
import { KEY_SET_PAUSE_MS } from '../../src/providers/key-set.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { CHECK_INTERVAL_MS, startLoginFrontend } from '../support/login-frontend.ts';
import { onEngines, type OpenStore } from '../support/on-engines.ts';
import { providerSettings } from '../support/providers/log-in-at.ts';
import { startOidcProvider } from '../support/providers/oidc-provider.ts';

onEngines('checks of a session', ({ openStore }) => {
  test('50 checks at once make one refresh of a rotating token, and none is logged out (3 Check interval)', async () => {
    await using at = await dueSession(openStore);
    const [one, two] = [at.frontend.newRecheck(), at.frontend.newRecheck()];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, request) => (request % 2 === 0 ? one : two)(at.id)),
    );
    for (const answer of answers) assert.equal(answer.kind === 'session' && answer.state?.ended, false);
    assert.equal(at.provider.counts.refreshes, 1);
    // Later than what the refresh gave is at hand: PostgreSQL has a clock of its own, which this does not set
    // ahead.
    at.frontend.clock.aheadMs += 10 * CHECK_INTERVAL_MS;
    const again = await one(at.id);
    assert.equal(again.kind === 'session' && again.state?.ended, false);
    assert.equal(at.provider.counts.refreshes, 2);
  });

  test('a failed refresh ends the session; a provider fault keeps it (3 Check interval)', async () => {
    await using at = await dueSession(openStore);
    at.provider.faults.refresh = 'server_error';
    assert.deepEqual(await at.frontend.newRecheck()(at.id), { kind: 'unavailable' });
    at.provider.faults.refresh = 'invalid_grant';
    const answer = await at.frontend.newRecheck()(at.id);
    assert.equal(answer.kind === 'session' && answer.state?.ended, true);
    assert.equal(at.frontend.events.at(-1)?.reason, 'invalid_grant');
  });

  test('a changed subject or email ends the session (3; THREATS "Email and identity": subject changed at refresh)', async () => {
    await using at = await dueSession(openStore);
    at.provider.account('ada@example.com').subject = 'somebody else';
    await at.frontend.newRecheck()(at.id);
    const row = await at.frontend.store.sessions.find(at.id);
    assert.ok(row?.endedAt !== null);
    await using other = await dueSession(openStore);
    other.provider.account('ada@example.com').email = 'ada@elsewhere.example';
    await other.frontend.newRecheck()(other.id);
    assert.equal((await other.frontend.store.sessions.find(other.id))?.endReason, 'email_changed');
  });

  test('a group that a person lost at the provider is gone with the next check; what is told no more, is unknown (Groups and claims)', async () => {
    await using at = await dueSession(openStore, {
      groupsClaim: 'groups',
      claims: ['department'],
      before: { groups: ['eng', 'ops'], department: 'R&D' },
    });
    const facts = async () => (await at.frontend.store.sessions.state(at.id))?.facts;
    assert.deepEqual((await facts())?.groups, ['eng', 'ops']);
    assert.deepEqual((await facts())?.claims, { department: ['R&D'] });
    at.provider.account('ada@example.com').claims = { groups: ['ops'], department: { odd: true } };
    const answer = await at.frontend.newRecheck()(at.id);
    assert.deepEqual(answer.kind === 'session' && answer.state?.facts?.groups, ['ops']);
    assert.deepEqual((await facts())?.claims, {});
    at.provider.account('ada@example.com').claims = {};
    at.frontend.clock.aheadMs += 10 * CHECK_INTERVAL_MS;
    await at.frontend.newRecheck()(at.id);
    assert.equal((await facts())?.groups, null);
  });

  test('an answer lost between rotation and storing never makes a wrong session (3; crash between rotation and storing)', async () => {
    await using at = await dueSession(openStore);
    at.provider.faults.refresh = 'drop_answer';
    assert.deepEqual(await at.frontend.newRecheck()(at.id), { kind: 'unavailable' });
    assert.equal((await at.frontend.store.sessions.state(at.id))?.ended, false);
    at.provider.faults.refresh = 'none';
    const answer = await at.frontend.newRecheck()(at.id);
    assert.ok(answer.kind === 'session' && answer.state !== null);
    const row = await at.frontend.store.sessions.find(at.id);
    assert.equal(row?.email, 'ada@example.com');
    const walk = await walkLogin(at.browser, at.frontend.startUrl(at.share), { email: 'ada@example.com' });
    assert.match(walk.last.body, /^arrived at/);
  });

  test('a rotated token is kept when the keys to verify what came with it are away (3 Check interval)', async () => {
    await using at = await dueSession(openStore);
    at.provider.faults.keys = true;
    // As after a restart: no keys are known yet.
    at.frontend.useProviders([at.settings]);
    assert.deepEqual(await at.frontend.newRecheck()(at.id), { kind: 'unavailable' });
    assert.equal(at.provider.counts.refreshes, 1, 'the token was rotated');
    assert.equal((await at.frontend.store.sessions.state(at.id))?.ended, false);
    at.provider.faults.keys = false;
    at.frontend.clock.aheadMs += KEY_SET_PAUSE_MS;
    const answer = await at.frontend.newRecheck()(at.id);
    assert.equal(answer.kind === 'session' && answer.state?.ended, false);
    assert.equal(at.provider.counts.refreshes, 2, 'with the token that came last');
  });
});

type Asked = Partial<ProviderSettings> & {
  /** What the provider says of the person at the login. */
  readonly before?: Readonly<Record<string, unknown>>;
};

async function dueSession(openStore: OpenStore, { before = {}, ...asked }: Asked = {}) {
  const frontend = await startLoginFrontend(openStore);
  const client = { clientId: 'client-1', clientSecret: 'the secret of client 1' };
  const provider = await startOidcProvider({
    clients: [{ ...client, redirectUris: [frontend.redirectUri('corp')] }],
    rotateRefreshTokens: true,
  });
  const settings = providerSettings({
    clientId: client.clientId,
    clientSecret: new Secret(client.clientSecret),
    issuer: provider.issuer,
    scopes: ['openid', 'email', 'profile'],
    ...asked,
  });
  provider.account('ada@example.com').claims = { ...before };
  frontend.useProviders([settings]);
  const share = await frontend.addShare({ provider: 'corp', patterns: ['*@example.com'] });
  const browser = frontend.browser();
  await walkLogin(browser, frontend.startUrl(share), { email: 'ada@example.com' });
  const [session] = frontend.sessions(browser);
  assert.ok(session);
  frontend.clock.aheadMs = CHECK_INTERVAL_MS;
  return {
    frontend,
    provider,
    settings,
    share,
    browser,
    id: session.id,
    async [Symbol.asyncDispose]() {
      await provider.close();
      await frontend[Symbol.asyncDispose]();
    },
  };
}
