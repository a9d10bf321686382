// What a visitor of `gateway-fleet.ts` does: logs in and out, through one gateway or all of them, and holds
// streams open.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as http from 'node:http';
import { WebSocket } from 'ws';
import type { ShareObject } from '../../src/wire/share.ts';
import { type Browser, createBrowser, walkLogin } from './browser-by-hand.ts';
import type { FleetGateway } from './gateway-fleet.ts';
import { eventually } from './serve-process.ts';

/** All through `gateway`, or through whichever nginx chooses. */
export async function logIn(share: ShareObject, email: string, gateway?: FleetGateway): Promise<Browser> {
  const browser = createBrowser(gateway === undefined ? {} : { userAgent: gateway.via });
  // Other gateways hear of a new share or provider a moment later.
  const walk = await eventually(`${email} is in`, async () => {
    const { last } = await walkLogin(browser, share.url, { email });
    return last.status === 404 ? null : last;
  });
  assert.equal(walk.status, 200, `${walk.url.href}: ${walk.body.slice(0, 300)}`);
  return browser;
}

export async function logOut(browser: Browser, share: ShareObject, { via }: FleetGateway): Promise<void> {
  const headers = { 'user-agent': via };
  const { location } = await browser.open(`${share.url}/.svc/logout`, { headers });
  assert.ok(location);
  const { status } = await browser.open(location, { headers });
  assert.equal(status, 302);
}

/** Resolves once the WebSocket is open. */
export async function openSocket(share: ShareObject, cookie: string, { via }: FleetGateway): Promise<Stream> {
  const { host, origin, port } = new URL(share.url);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, {
    headers: { host, origin, cookie, 'user-agent': via },
  });
  socket.on('error', () => undefined);
  const over = new Promise((resolve) => socket.on('close', resolve));
  await once(socket, 'open');
  socket.send('hello');
  await once(socket, 'message');
  return { over };
}

/** Resolves once the answer has begun, which the backend never ends. */
export async function openStream(share: ShareObject, cookie: string, { via }: FleetGateway): Promise<Stream> {
  const { host, port } = new URL(share.url);
  const call = http.get(`http://127.0.0.1:${port}/stream`, {
    headers: { host, cookie, 'user-agent': via, 'sec-fetch-site': 'none' },
    agent: false,
  });
  const [answer] = (await once(call, 'response')) as [http.IncomingMessage];
  assert.equal(answer.statusCode, 200);
  // It breaks off, which is its end, too.
  answer.on('error', () => undefined);
  const over = new Promise((resolve) => answer.on('close', resolve));
  await once(answer, 'data');
  answer.resume();
  return { over };
}

export type Stream = { readonly over: Promise<unknown> };

/** The statuses that somebody gets who took a copy of the cookie. */
export function copyOf(cookie: string): (url: string, via: string) => Promise<number> {
  const thief = createBrowser();
  return async (url, via) => (await thief.open(url, { headers: { cookie, 'user-agent': via } })).status;
}
