// Pages of one share against another share where the visitor is logged in, in Chromium over TLS (DESIGN 3,
// Requests from other sites): whatever a page can make a browser send is tried twice, by the share's own
// page, which gets through, and by its sibling's, which does not.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openLoggedIn, startChromium, until, type TestChromium } from '../support/chromium.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSite, type SiteBackend, type SiteRequest } from '../support/site-backend.ts';

let service: TestService;
let chromium: TestChromium;
let victim: SiteBackend;
let sibling: SiteBackend;
before(async () => {
  service = await startTestService({ tls: true });
  victim = await startSite('victim');
  sibling = await startSite('sibling');
  chromium = await startChromium(service);
});
after(async () => {
  await chromium.close();
  await service.close();
  await Promise.all([victim.close(), sibling.close()]);
});

const EMAIL = 'ada@example.com';

test('a sibling share cannot reach a share with the visitor’s session in any way that a page has (DESIGN 3)', async (t) => {
  const { url: target } = await service.share('victim', { target: victim.url });
  const { url: foreign } = await service.share('attacker', { target: sibling.url, oauthProvider: null });
  const { page } = await chromium.visitor(t);
  await openLoggedIn(page, `${target}/`, EMAIL);

  await attack(page, { from: `${target}/page`, at: target, as: 'own' });
  const own = new Set(victim.seen.map(pathOf));
  for (const kind of KINDS) assert.ok(own.has(`/own/${kind}`), `${kind} gets through from the share itself`);

  await attack(page, { from: `${foreign}/page`, at: target, as: 'foreign' });
  // A last request that is let in, so that everything before it has had its turn.
  await page.goto(`${target}/last`);
  assert.ok(victim.seen.some((request) => pathOf(request) === '/last'));
  const stolen = victim.seen.map(pathOf).filter((path) => path.startsWith('/foreign/'));
  assert.deepEqual(stolen, []);
  await until(
    'each attempt to be in the log',
    async () => (await refused('/foreign/')).size === KINDS.length,
  );
  assert.deepEqual([...(await refused('/foreign/')).keys()].toSorted(), KINDS.toSorted());
});

test('--allow-origin opens a share to exactly that origin (2.3)', async (t) => {
  const { url: foreign } = await service.share('stranger', { target: sibling.url, oauthProvider: null });
  const { url: friend } = await service.share('friend', { target: sibling.url, oauthProvider: null });
  const { url: target } = await service.share('shared', { target: victim.url, allowOrigins: [friend] });
  const { page } = await chromium.visitor(t);
  await openLoggedIn(page, `${target}/`, EMAIL);
  for (const [origin, opens] of [
    [friend, true],
    [foreign, false],
  ] as const) {
    await page.goto(`${origin}/page`);
    const as = opens ? 'friend' : 'stranger';
    const read = await page.evaluate(
      async ([url = '']) => {
        const init = { credentials: 'include', headers: { 'x-asked': 'yes' } } as const;
        return fetch(url, init).then(
          (response) => response.text(),
          () => null,
        );
      },
      [`${target}/${as}/fetch`],
    );
    assert.equal(read !== null, opens, `fetch from ${origin}`);
    const spoken = await page.evaluate<string>(
      `new Promise((done) => {
        const socket = new WebSocket(${JSON.stringify(`${target.replace('https', 'wss')}/${as}/socket`)});
        socket.onopen = () => socket.send('hello');
        socket.onmessage = ({ data }) => done(data);
        socket.onerror = () => done('refused');
      })`,
    );
    assert.equal(spoken, opens ? 'hello' : 'refused', `WebSocket from ${origin}`);
  }
  const seen = victim.seen.filter((request) => /^\/(?:friend|stranger)\//.test(pathOf(request)));
  assert.deepEqual(
    seen.map((request) => `${request.method} ${pathOf(request)}`),
    ['GET /friend/fetch', 'UPGRADE /friend/socket'],
  );
  assert.ok(seen.every(({ headers }) => headers['svc-auth-email'] === EMAIL));
});

function pathOf({ target }: SiteRequest): string {
  return target.split('?', 1)[0] ?? '';
}

/** What the gateway's log says was refused below a path, by the rest of the path. */
async function refused(below: string): Promise<ReadonlySet<string>> {
  const lines = (await readFile(service.logFile, 'utf8')).split('\n').filter((line) => line.includes(below));
  const requests = lines.map(
    (line) => JSON.parse(line) as { readonly path: string; readonly status: number },
  );
  return new Set(
    requests.flatMap(({ path, status }) =>
      path.startsWith(below) && status === 403 ? [path.slice(below.length)] : [],
    ),
  );
}

type Attack = { readonly from: string; readonly at: string; readonly as: string };

/** Tries everything from a page of `from`, and resolves once each attempt has ended, one way or the other. */
async function attack(page: Page, { from, at, as }: Attack): Promise<void> {
  const url = (kind: string) => `${at}/${as}/${kind}`;
  serveAttackPages(url);
  await page.goto(from);
  const done = await page.evaluate<readonly string[]>(
    `(${ATTEMPTS})(${JSON.stringify(`${at}/${as}/`)}, ${JSON.stringify(new URL(from).origin)})`,
  );
  assert.deepEqual([...done].toSorted(), [...SCRIPTED].toSorted());
  const profile = page.context();
  const beacon = profile.waitForEvent('response', (response) => response.url() === url('beacon'));
  await page.evaluate(`navigator.sendBeacon(${JSON.stringify(url('beacon'))}, 'x')`);
  await beacon;
  const pinged = profile.waitForEvent('response', (response) => response.url() === url('ping'));
  await page.goto(`${new URL(from).origin}/ping-page-${as}`);
  await page.getByRole('link').click();
  await pinged;
  const prefetched = profile.waitForEvent('response', (response) => response.url() === url('speculation'));
  await page.goto(`${new URL(from).origin}/speculation-page-${as}`);
  await prefetched;
  await page.goto(`${new URL(from).origin}/form-page-${as}`);
  const posted = page.waitForResponse(url('form-post-top'));
  await page.getByRole('button').click();
  await posted;
}

function serveAttackPages(url: (kind: string) => string): void {
  const as = new URL(url('')).pathname.split('/')[1];
  for (const site of [victim, sibling]) {
    site.pages.set(`/ping-page-${as}`, {
      body: `<!doctype html><a href="#here" ping="${url('ping')}">Go</a>`,
    });
    site.pages.set(`/speculation-page-${as}`, {
      body: `<!doctype html><script type="speculationrules">${JSON.stringify({
        prefetch: [{ source: 'list', urls: [url('speculation')], eagerness: 'immediate' }],
      })}</script>`,
    });
    site.pages.set(`/form-page-${as}`, {
      body: `<!doctype html><form method="post" action="${url('form-post-top')}"><button>Post</button></form>`,
    });
    site.pages.set(`/bounce-${as}`, { status: 302, headers: { location: url('redirected') } });
  }
}

/** Runs in the page. Each attempt is named as its path; resolves with the names of those that ended. */
const ATTEMPTS = `async (base, here) => {
  const as = base.split('/').at(-2);
  const ended = (name, start) => new Promise((done) => start(() => done(name)));
  const element = (name, tag, fields) => ended(name, (done) => {
    const node = Object.assign(document.createElement(tag), { onload: done, onerror: done, ...fields });
    document.body.append(node);
  });
  const media = (name, tag) => ended(name, (done) => {
    const node = Object.assign(document.createElement(tag), { onerror: done, onloadedmetadata: done, src: base + name });
    document.body.append(node);
  });
  const link = (name, fields) => element(name, 'link', { href: base + name, ...fields });
  const fetched = (name, init, url = base + name) => fetch(url, init).then(() => name, () => name);
  const form = (name, method) => ended(name, (done) => {
    const frame = Object.assign(document.createElement('iframe'), { name });
    const node = Object.assign(document.createElement('form'), { method, action: base + name, target: name });
    document.body.append(frame, node);
    frame.onload = done;
    node.submit();
  });
  return Promise.all([
    fetched('cors', {}),
    fetched('cors-include', { credentials: 'include' }),
    fetched('cors-post', { method: 'POST', credentials: 'include', body: 'a=b' }),
    fetched('cors-put', { method: 'PUT', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '{}' }),
    fetched('cors-delete', { method: 'DELETE', credentials: 'include' }),
    fetched('no-cors', { mode: 'no-cors', credentials: 'include' }),
    fetched('no-cors-post', { mode: 'no-cors', method: 'POST', credentials: 'include', body: 'a=b' }),
    fetched('keepalive', { mode: 'no-cors', method: 'POST', credentials: 'include', body: 'a=b', keepalive: true }),
    fetched('redirected', { mode: 'no-cors', credentials: 'include' }, here + '/bounce-' + as),
    ended('xhr', (done) => {
      const request = Object.assign(new XMLHttpRequest(), { withCredentials: true, onloadend: done });
      request.open('GET', base + 'xhr');
      request.send();
    }),
    element('img', 'img', { src: base + 'img' }),
    element('script', 'script', { src: base + 'script' }),
    element('module', 'script', { src: base + 'module', type: 'module', crossOrigin: 'use-credentials' }),
    element('object', 'object', { data: base + 'object' }),
    element('embed', 'embed', { src: base + 'embed' }),
    element('frame', 'iframe', { src: base + 'frame' }),
    ended('refreshed', (done) => {
      // Loads twice: itself, and where it goes.
      let loads = 0;
      const srcdoc = '<meta http-equiv=refresh content="0;url=' + base + 'refreshed">';
      const onload = () => ++loads === 2 && done();
      document.body.append(Object.assign(document.createElement('iframe'), { onload, srcdoc }));
    }),
    media('audio', 'audio'),
    media('video', 'video'),
    link('stylesheet', { rel: 'stylesheet' }),
    link('prefetch', { rel: 'prefetch' }),
    link('preload', { rel: 'preload', as: 'image' }),
    link('preload-fetch', { rel: 'preload', as: 'fetch', crossOrigin: 'use-credentials' }),
    link('modulepreload', { rel: 'modulepreload', crossOrigin: 'use-credentials' }),
    form('form-get', 'get'),
    form('form-post', 'post'),
    ended('socket', (done) => {
      const socket = new WebSocket(base.replace('https', 'wss') + 'socket');
      socket.onopen = () => socket.close();
      socket.onclose = done;
    }),
    ended('event-source', (done) => {
      const source = new EventSource(base + 'event-source', { withCredentials: true });
      source.onerror = source.onopen = () => done(source.close());
    }),
    ended('worker', (done) => {
      const text = 'try { importScripts(' + JSON.stringify(base + 'worker') + ') } catch {} postMessage(1)';
      const worker = new Worker(URL.createObjectURL(new Blob([text])));
      worker.onmessage = worker.onerror = done;
    }),
  ]);
}`;

const SCRIPTED = [
  'cors',
  'cors-include',
  'cors-post',
  'cors-put',
  'cors-delete',
  'no-cors',
  'no-cors-post',
  'keepalive',
  'redirected',
  'xhr',
  'img',
  'script',
  'module',
  'object',
  'embed',
  'frame',
  'refreshed',
  'audio',
  'video',
  'stylesheet',
  'prefetch',
  'preload',
  'preload-fetch',
  'modulepreload',
  'form-get',
  'form-post',
  'socket',
  'event-source',
  'worker',
];
const KINDS = [...SCRIPTED, 'beacon', 'ping', 'speculation', 'form-post-top'];
