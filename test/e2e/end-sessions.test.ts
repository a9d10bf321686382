// Sessions that an administrator ends, as visitors see it: with the whole service, real logins, open
// WebSockets.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import type { ShareObject } from '../../src/wire/share.ts';
import { type Browser, walkLogin } from '../support/browser-by-hand.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ idp: { refreshTokens: 'always' } });
});
after(() => service.close());

type Visit = {
  readonly share: ShareObject;
  readonly browser: Browser;
  /** Resolves with the time at which the WebSocket was closed. */
  readonly closed: Promise<number>;
};

async function visit(share: ShareObject, email: string): Promise<Visit> {
  const browser = service.browser();
  const walk = await walkLogin(browser, share.url, { email });
  assert.equal(walk.last.status, 200);
  return withSocket(share, browser);
}

/** A share without a login. */
async function visitOpen(share: ShareObject): Promise<Visit> {
  return withSocket(share, service.browser());
}

async function withSocket(share: ShareObject, browser: Browser): Promise<Visit> {
  const url = new URL(share.url);
  const socket = new WebSocket(`ws://127.0.0.1:${url.port}/socket`, {
    headers: { host: url.host, origin: share.url, cookie: browser.jar.header(url) ?? '' },
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close').then(() => performance.now());
  await once(socket, 'open');
  socket.send('hello');
  await once(socket, 'message');
  return { share, browser, closed };
}

async function isIn({ share, browser }: Visit): Promise<boolean> {
  return (await browser.open(share.url)).status === 200;
}

/** Ends them, and requires that `over` is over in time, streams included, and that `others` are not. */
async function endAndLook(end: () => Promise<unknown>, over: readonly Visit[], others: readonly Visit[]) {
  const began = performance.now();
  await end();
  // The answer is sent once the change is live.
  for (const each of over) assert.equal(await isIn(each), false);
  for (const { closed } of over) assert.ok((await closed) - began < PROMPTLY_MS);
  for (const each of others) assert.equal(await isIn(each), true);
}

test('an ended session lets nobody in within 2 s, its WebSocket is closed, its tokens are revoked (DESIGN 3)', async () => {
  const share = await service.share('one');
  const meant = await visit(share, 'ada@example.com');
  const other = await visit(share, 'bob@example.com');
  const { items } = await service.client.sessions.list({ email: 'ada@example.com', state: 'active' });
  const [session] = items;
  assert.ok(session);
  assert.deepEqual([session.share, session.provider, session.ip], ['one', 'corp', '127.0.0.1']);
  const revoked = service.idp.revoked.length;
  await endAndLook(() => service.client.sessions.end(session.id), [meant], [other]);
  await eventually('both tokens are revoked', () => service.idp.revoked.length === revoked + 2);
});

test('all sessions of a person, of a share, of a provider end at once', async () => {
  const [a, b] = [await service.share('first'), await service.share('second')];
  const groups = [
    {
      of: { email: 'Lin@example.com' },
      over: [
        [a, 'lin@example.com'],
        [b, 'lin@example.com'],
      ],
      others: [[a, 'kim@example.com']],
    },
    {
      of: { share: 'first' },
      over: [
        [a, 'lin@example.com'],
        [a, 'kim@example.com'],
      ],
      others: [[b, 'kim@example.com']],
    },
    {
      of: { provider: 'corp' },
      over: [
        [a, 'lin@example.com'],
        [b, 'kim@example.com'],
      ],
      others: [],
    },
  ] as const;
  for (const { of, over, others } of groups) {
    const enter = (list: readonly (readonly [ShareObject, string])[]) =>
      Promise.all(list.map(([share, email]) => visit(share, email)));
    const [meant, spared] = [await enter(over), await enter(others)];
    await endAndLook(() => service.client.sessions.endAll(of), meant, spared);
  }
});

test('a disabled share answers with a page that says so little, and its streams are cut, login or not (DESIGN 2.3)', async () => {
  const open = await service.share('open', { oauthProvider: null });
  const [share, other] = [await service.share('switched'), await service.share('left')];
  const meant = await visit(share, 'ada@example.com');
  const anybody = await visitOpen(open);
  const spared = await visit(other, 'ada@example.com');
  const disable = async (): Promise<void> => {
    for (const name of ['switched', 'open']) await service.client.shares.modify(name, { enabled: false });
  };
  await endAndLook(disable, [meant, anybody], [spared]);
  for (const { url } of [share, open]) {
    const page = await service.browser().open(url);
    assert.equal(page.status, 404);
    assert.match(String(page.headers['content-type']), /^text\/html/);
    assert.match(page.body, /Nothing is published at this address/);
  }
  // Enabled again, the session is as good as it was.
  await service.client.shares.modify('switched', { enabled: true });
  assert.equal(await isIn(meant), true);
});

test('a provider that does not answer keeps nobody from ending a session', async () => {
  const share = await service.share('slow');
  const meant = await visit(share, 'ada@example.com');
  await service.idp.close();
  await endAndLook(() => service.client.sessions.endAll({ share: 'slow' }), [meant], []);
});
