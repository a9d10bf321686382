// What rules ask of providers, through the whole service: groups that a person loses, and logins that are not
// strong or fresh enough. On both engines, with back ends of the gateway and, for streams, by the feed.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as http from 'node:http';
import { after, before, test } from 'node:test';
import type { NewShare, ShareObject } from '../../src/wire/share.ts';
import { type Browser, walkLogin } from '../support/browser-by-hand.ts';
import { onEngines } from '../support/on-engines.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService, type TestService } from '../support/service.ts';

onEngines('rules and what providers say', ({ storeUrl }) => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ corp: { groups_claim: 'groups' }, storeUrl: await storeUrl() });
  });
  after(() => service?.close());

  /** A share of rules alone, or with whatever else is said. */
  const ruled = (name: string, rules: NewShare['rules'], settings: Partial<NewShare> = {}) =>
    service.client.shares.create({ name, target: service.backend.url, rules, ...settings });

  test('who loses a group at the provider is out at the next check, with the stream that is open (Groups and claims)', async (t) => {
    const email = 'ada@example.com';
    const account = service.idp.account(email);
    account.claims = { groups: ['eng', 'all'] };
    const share = await service.share('eng', { allowGroups: ['eng'], oauthCheckInterval: '1s' });
    const browser = service.browser();
    await walkLogin(browser, share.url, { email });
    assert.equal((await browser.open(new URL(share.url))).status, 200);
    const stream = await openStream(t, share, browser);
    // A check passes while nothing changed.
    const { refreshes } = service.idp.counts;
    await eventually('a check', () => service.idp.counts.refreshes > refreshes);
    assert.equal(stream.ended, false);
    account.claims = { groups: ['all'] };
    await stream.over;
    const { status, location } = await browser.open(new URL(share.url));
    assert.ok(status === 302 && location?.pathname === '/corp/login', `${status}: logged in anew`);
    assert.equal((await walkLogin(browser, share.url, { email })).last.status, 403);
    account.claims = { groups: ['eng'] };
    assert.equal((await walkLogin(browser, share.url, { email })).last.status, 200);
  });

  test('groups that the provider tells no more let nobody in (Groups and claims)', async () => {
    const email = 'bea@example.com';
    const account = service.idp.account(email);
    const share = await ruled('untold', [
      { allow: { providers: ['corp'] } },
      { deny: { groups: ['contractors'] } },
    ]);
    for (const [claims, status] of [
      [{ groups: ['eng'] }, 200],
      [{ groups: ['contractors', 'eng'] }, 403],
      [{}, 403],
      [{ groups: { eng: true } }, 403],
      [{ groups: [] }, 200],
    ] as const) {
      account.claims = claims;
      const { last } = await walkLogin(service.browser(), share.url, { email });
      assert.equal(last.status, status, JSON.stringify(claims));
    }
  });

  test('a rule asks the provider for a class of authentication, and takes no other answer (5.5)', async () => {
    const email = 'cy@example.com';
    const account = service.idp.account(email);
    const share = await ruled('strong', [{ allow: { providers: ['corp'], acr: ['gold'] } }]);
    account.acr = 'gold';
    assert.equal((await walkLogin(service.browser(), share.url, { email })).last.status, 200);
    assert.equal(service.idp.authorizations.at(-1)?.get('acr_values'), 'gold');
    account.acr = 'silver';
    const { last } = await walkLogin(service.browser(), share.url, { email });
    assert.equal(last.status, 403);
    assert.match(last.body, /A stronger login is required/);
  });

  test('a session that a rule finds too weak or too old is sent to log in as it asks, where that is asked for (5.5)', async () => {
    const email = 'dot@example.com';
    const account = service.idp.account(email);
    const share = await ruled('mixed', [
      { allow: { providers: ['corp'], paths: ['/'] } },
      { allow: { providers: ['corp'], paths: ['/admin/*'], acr: ['gold'], max_age: '1h' } },
    ]);
    account.acr = 'silver';
    const browser = service.browser();
    assert.equal((await walkLogin(browser, share.url, { email })).last.status, 200);
    const plain = service.idp.authorizations.at(-1);
    assert.deepEqual([plain?.get('acr_values'), plain?.get('max_age')], [null, null]);
    account.acr = 'gold';
    const admin = new URL('/admin/page', share.url);
    assert.equal((await browser.open(admin)).status, 302);
    // This provider asks nobody again who is logged in there, so its answer is no stronger than before.
    const { last: refused } = await walkLogin(browser, admin.href, { email });
    assert.match(refused.body, /A stronger login is required/);
    const asked = service.idp.authorizations.at(-1);
    assert.deepEqual([asked?.get('acr_values'), asked?.get('max_age')], ['gold', '3600']);
    const again = /href="([^"]+\/corp\/login\?request=[^"]+)"/.exec(refused.body)?.[1] ?? '';
    const { last } = await walkLogin(browser, again, { email });
    assert.deepEqual([last.status, last.url.pathname], [200, '/admin/page'], last.body.slice(0, 300));
    assert.equal(service.idp.authorizations.at(-1)?.get('prompt'), 'login');
    assert.equal((await browser.open(new URL(share.url))).status, 200);
  });
});

type Stream = { readonly over: Promise<unknown>; readonly ended: boolean };

/** Resolves once the answer has begun, which the backend never ends. */
async function openStream(
  t: { after(end: () => void): void },
  share: ShareObject,
  browser: Browser,
): Promise<Stream> {
  const url = new URL('/stream', share.url);
  const call = http.get(`http://127.0.0.1:${url.port}/stream`, {
    headers: { host: url.host, cookie: browser.jar.header(url) ?? '' },
    agent: false,
  });
  t.after(() => call.destroy());
  call.on('error', () => undefined);
  const [answer] = (await once(call, 'response')) as [http.IncomingMessage];
  assert.equal(answer.statusCode, 200);
  answer.on('error', () => undefined);
  const state = { ended: false };
  const over = new Promise<void>((resolve) =>
    answer.on('close', () => {
      state.ended = true;
      resolve();
    }),
  );
  answer.resume();
  return {
    over,
    get ended() {
      return state.ended;
    },
  };
}
