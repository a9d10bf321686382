// WebSockets and event streams of a page, in Chromium: they work after the login, and end with the session,
// whoever's tab ended it (DESIGN "Ended sessions"; THREATS "WebSocket and streams").

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openLoggedIn, startChromium, until, type TestChromium } from '../support/chromium.ts';
import { configure } from '../support/configure.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSite, type SiteBackend } from '../support/site-backend.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

let service: TestService;
let chromium: TestChromium;
let site: SiteBackend;
before(async () => {
  service = await startTestService({ tls: true });
  site = await startSite('site');
  chromium = await startChromium(service);
});
after(async () => {
  await chromium.close();
  await service.close();
  await site.close();
});

const EMAIL = 'ada@example.com';

test('WebSocket and event stream: work after the login, and are closed within 2 s of a logout in another tab (DESIGN 3)', async (t) => {
  const { url } = await service.share('streams', { target: site.url });
  const { page, profile } = await chromium.visitor(t);
  await openLoggedIn(page, `${url}/app`, EMAIL);
  await openStreams(page);
  assert.equal(await page.evaluate(`ask('hello')`), 'hello');
  site.tell('news');
  await page.waitForFunction(`events.at(-1) === 'news'`);
  assert.deepEqual(await page.evaluate('events'), ['open', 'news']);
  for (const target of ['/socket', '/events']) {
    const request = site.seen.find((each) => each.target === target);
    assert.equal(request?.headers['svc-auth-email'], EMAIL);
  }

  const other = await profile.newPage();
  await other.goto(`${url}/.svc/logout`);
  const loggedOutAt = Date.now();
  await page.waitForFunction('over.socket && over.events');
  assert.ok(Date.now() - loggedOutAt < PROMPTLY_MS, `closed ${Date.now() - loggedOutAt} ms after the logout`);
  const seen = site.seen.length;
  assert.equal(await page.evaluate(REOPEN), 'refused');
  assert.equal(site.seen.length, seen, 'nor does one open again');
});

test('WebSocket and event stream: are closed when session_lifetime is over (2.5, 3)', async (t) => {
  const { url } = await service.share('brief', { target: site.url });
  const { page } = await chromium.visitor(t);
  await configure(service, { session_lifetime: '3s' });
  await openLoggedIn(page, `${url}/app`, EMAIL);
  await configure(service, { session_lifetime: '6h' });
  await openStreams(page);
  const expires = await page.evaluate<string>(
    `fetch('/.svc/session').then((answer) => answer.json()).then(({ expires }) => expires)`,
  );
  assert.deepEqual(await page.evaluate('over'), { socket: false, events: false });
  await page.waitForFunction('over.socket && over.events');
  const late = Date.now() - Date.parse(expires);
  assert.ok(late >= 0 && late < PROMPTLY_MS, `closed ${late} ms after the session was over`);
});

test('--oauth-check-interval: an open WebSocket outlives checks that succeed, and ends with the first that does not (2.3, 3)', async (t) => {
  const { url } = await service.share('checked', { target: site.url, oauthCheckInterval: '1s' });
  const { page } = await chromium.visitor(t);
  await openLoggedIn(page, `${url}/app`, EMAIL);
  await openStreams(page);
  const refreshes = service.idp.counts.refreshes;
  await until('two checks', () => service.idp.counts.refreshes >= refreshes + 2);
  assert.equal(await page.evaluate(`ask('still here')`), 'still here');
  service.idp.faults.refresh = 'invalid_grant';
  t.after(() => {
    service.idp.faults.refresh = 'none';
  });
  await page.waitForFunction('over.socket && over.events');
});

/** Opens one of each, and resolves once both are open. */
async function openStreams(page: Page): Promise<void> {
  await page.evaluate(`{
    globalThis.over = { socket: false, events: false };
    globalThis.events = [];
    const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket');
    socket.onclose = () => (over.socket = true);
    const source = new EventSource('/events');
    source.onmessage = ({ data }) => events.push(data);
    source.onerror = () => (over.events = true);
    globalThis.ask = (text) => new Promise((answer) => {
      socket.onmessage = ({ data }) => answer(data);
      socket.send(text);
    });
    globalThis.isOpen = () => events.length > 0 && socket.readyState === WebSocket.OPEN;
  }`);
  await page.waitForFunction('isOpen()');
}

const REOPEN = `new Promise((done) => {
  const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket');
  socket.onopen = () => done('open');
  socket.onerror = () => done('refused');
})`;
