// What is said on a control connection of a tunnel, by hand: frames as a test sends them, and what came back.

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { FrameReader, writeFrame } from '../../src/tunnel/frames.ts';
import { writeHello } from '../../src/tunnel/hello.ts';
import { FRAMES, OPENED, TICKET_BYTES } from '../../src/tunnel/wire.ts';
import { until } from './until.ts';

export type TunnelFrame = { readonly type: number; readonly payload: Buffer };

export type TunnelTalk = {
  readonly socket: Socket;
  readonly heard: readonly TunnelFrame[];
  readonly send: (...frames: readonly Buffer[]) => void;
  /** The first such frame; null once the connection is over without one. */
  readonly wait: (is: (frame: TunnelFrame) => boolean) => Promise<TunnelFrame | null>;
  readonly closed: Promise<void>;
  /** One that was not given out yet, or null once the connection is over. */
  readonly ticket: () => Promise<string | null>;
};

export const frame = (type: number, payload: Buffer | string = ''): Buffer =>
  writeFrame(type, Buffer.from(payload));

export const HELLO = writeFrame(FRAMES.hello, writeHello({ host: 'target.test', watches: false }));

/** `first` came before. Pings are answered. */
export function talkTunnel(socket: Socket, first: Buffer = Buffer.alloc(0)): TunnelTalk {
  const heard: TunnelFrame[] = [];
  const tickets: string[] = [];
  const reader = new FrameReader((type, payload) => {
    heard.push({ type, payload: Buffer.from(payload) });
    if (type === FRAMES.ping) socket.write(writeFrame(FRAMES.pong));
    for (let at = 0; type === FRAMES.lend && at < payload.byteLength; at += TICKET_BYTES)
      tickets.push(payload.toString('base64url', at, at + TICKET_BYTES));
  });
  socket.on('error', () => {});
  socket.on('end', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => reader.feed(chunk));
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  reader.feed(first);
  socket.resume();
  return {
    socket,
    heard,
    send: (...frames) => {
      for (const each of frames) if (socket.writable) socket.write(each);
    },
    wait: async (is) => {
      await until(() => socket.destroyed || heard.some(is));
      return heard.find(is) ?? null;
    },
    closed,
    ticket: async () => {
      await until(() => socket.destroyed || tickets.length > 0);
      return tickets.shift() ?? null;
    },
  };
}

/** On a lent connection: resolves with what the edge said behind OPEN, which is answered. */
export async function untilAsked(lent: Socket): Promise<Buffer> {
  lent.resume();
  await once(lent, 'data');
  lent.write(Buffer.from([OPENED]));
  const [request] = (await once(lent, 'data')) as [Buffer];
  return request;
}
