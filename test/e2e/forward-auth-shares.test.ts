// What a share has beside a login, behind real proxies: several providers, requests for access, live
// requests, safety from sibling shares, a host of its own.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { withStore } from '../../src/cli/accounts/operator-store.ts';
import { requestAccess } from '../support/access-requests.ts';
import { REAL_PROXIES, programOf } from '../support/asking-proxy.ts';
import { type BehindRig, startBehind } from '../support/behind-rig.ts';
import { type Browser, createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import type { Echo } from '../support/echo-backend.ts';
import { OWN_FETCH, PAGE_LOAD } from '../support/forward-auth.ts';
import { eventually } from '../support/serve-process.ts';

const EMAIL = 'ada@example.com';
const LINK = /<li><a[^>]* href="(https?:\/\/[^"]*\/([a-z]+)\/login[^"]*)"/g;

for (const proxy of REAL_PROXIES) {
  const skip = programOf(proxy) === null ? `${proxy} is not installed` : false;

  describe(`a share behind ${proxy}`, { skip }, () => {
    let rig: BehindRig;
    before(async () => {
      rig = await startBehind(proxy, {
        secondProvider: 'partner',
        share: {
          oauthProvider: ['corp', 'partner'],
          oauthEmailAddressPatterns: ['*@example.com'],
          accessRequests: true,
        },
      });
    });
    after(() => rig?.close());

    test(`${proxy}: visitors choose among providers, and are told of by the one that they took (DESIGN "Forward-auth")`, async () => {
      for (const provider of ['partner', 'corp']) {
        const browser = createBrowser({ ca: rig.ca });
        const { last } = await logInAt(browser, provider, EMAIL);
        assert.equal(last.status, 200, last.body.slice(0, 300));
        assert.equal(echoOf(last).headers['svc-auth-provider'], provider);
        assert.equal(echoOf(last).target, '/page?a=1');
      }
    });

    test(`${proxy}: whoever is refused asks for access, and a grant lets them in (DESIGN "Requests for access")`, async () => {
      const [email, browser] = ['eve@elsewhere.example', createBrowser({ ca: rig.ca })];
      await requestAccess(browser, await linkTo(browser, 'corp'), { email });
      const { accessRequests } = rig.service.client;
      const [asked] = (await accessRequests.list({ share: 'app' })).items;
      assert.equal(asked?.email, email);
      await accessRequests.grant(asked?.id ?? '', { for: '1d' });
      // Whoever was refused at the login has no session yet.
      const { last } = await logInAt(createBrowser({ ca: rig.ca }), 'corp', email);
      assert.equal(last.status, 200, last.body.slice(0, 300));
      assert.equal(echoOf(last).headers['svc-auth-email'], email);
    });

    test(`${proxy}: live requests say "authorized", of the request and not of the question (DESIGN "Forward-auth")`, async () => {
      const browser = createBrowser({ ca: rig.ca });
      await logInAt(browser, 'corp', EMAIL);
      const leave = new AbortController();
      const events = rig.service.client.shares.watch('app', leave.signal)[Symbol.asyncIterator]();
      try {
        assert.equal((await events.next()).value?.kind, 'open');
        await browser.open(`${rig.url}/watched?x`);
        const { value } = await events.next();
        assert.ok(value?.kind === 'request');
        const { path, authorized, method, who } = value.request;
        assert.deepEqual([path, authorized, method], ['/watched', true, 'GET']);
        assert.match(JSON.stringify(who), /ada@example\.com/);
      } finally {
        leave.abort();
      }
    });

    test(`${proxy}: a page of a sibling share uses no session (THREATS "Sibling shares")`, async () => {
      const browser = createBrowser({ ca: rig.ca });
      await logInAt(browser, 'corp', EMAIL);
      const origin = rig.url.replace('app.', 'other.');
      const seen = rig.backend.seen.length;
      for (const headers of [
        { ...OWN_FETCH, 'sec-fetch-site': 'same-site', origin },
        { ...PAGE_LOAD, 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe' },
      ])
        assert.equal((await browser.request(`${rig.url}/x`, { headers })).status, 403);
      const posted = { ...PAGE_LOAD, 'sec-fetch-site': 'same-site', origin };
      const answer = await browser.request(`${rig.url}/x`, { method: 'POST', headers: posted, body: 'x' });
      assert.equal(answer.status, 403);
      assert.equal(rig.backend.seen.length, seen);
    });

    async function logInAt(browser: Browser, provider: string, email: string) {
      return walkLogin(browser, await linkTo(browser, provider), { email });
    }

    async function linkTo(browser: Browser, provider: string): Promise<string> {
      const { last } = await browser.follow(`${rig.url}/page?a=1`);
      const link = [...last.body.matchAll(LINK)].find(([, , name]) => name === provider)?.[1];
      assert.ok(link !== undefined, `the chooser offers ${provider}`);
      return link;
    }
  });

  test(
    `${proxy}: a login at a host of the app's own stays there, and a logout ends it (DESIGN "Forward-auth")`,
    { skip },
    async (t) => {
      const host = 'app.customer.localhost';
      const rig = await startBehind(proxy, { customHost: host, share: { oauthProvider: 'corp' } });
      t.after(() => rig.close());
      await withStore({ config: `${rig.service.folder}/doorward.yaml` }, async (store) => {
        const [account] = await store.accounts.list();
        assert.ok(account);
        await store.hosts.grant({ host, accountId: account.id, createdAt: Date.now() });
      });
      await rig.service.client.hosts.create({ host, share: 'app' });
      const browser = createBrowser({ ca: rig.ca });
      const { last } = await walkLogin(browser, `${rig.url}/own?x=y`, { email: EMAIL });
      assert.equal(last.url.host, new URL(rig.url).host);
      const { headers, target } = echoOf(last);
      assert.deepEqual([target, headers['svc-auth-email']], ['/own?x=y', EMAIL]);
      const cookie = browser.jar.header(new URL(rig.url)) ?? '';
      assert.match(cookie, /__Host-svc-auth-session=/);
      const { location } = await browser.open(`${rig.url}/.svc/logout`);
      assert.ok(location);
      await browser.open(location);
      const copied = createBrowser({ ca: rig.ca });
      await eventually('the copied cookie opens nothing', async () => {
        const answer = await copied.request(`${rig.url}/`, { headers: { ...PAGE_LOAD, cookie } });
        return answer.status === 302;
      });
    },
  );
}

function echoOf({ body }: { readonly body: string }): Echo {
  return JSON.parse(body) as Echo;
}
