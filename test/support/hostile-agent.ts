// An agent by hand: the upgrade to a tunnel, then whatever frames a test sends on it, and what the edge said.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { Secret } from '../../src/domain/secret.ts';
import { ACK, frame, type Frame, frameReader, SETTINGS } from './http2-frames.ts';

export type HostileAgent = {
  readonly socket: Socket;
  readonly send: (...frames: readonly Buffer[]) => void;
  /** All that came, in order. */
  readonly heard: readonly Frame[];
  /** Resolves with the first frame that fits, of those that came and those to come; null when the tunnel ends before. */
  readonly wait: (fits: (frame: Frame) => boolean) => Promise<Frame | null>;
  readonly closed: Promise<void>;
};

export type HostileWish = {
  readonly host: string;
  readonly share: string;
  readonly apiKey: Secret;
  readonly agentId?: string;
  /** Of its first SETTINGS frame. */
  readonly settings?: Buffer;
};

/** Resolves once the edge's settings came, and it has ours. Throws with the answer, when that is no 101. */
export async function openHostileAgent(
  t: TestContext,
  port: number,
  wish: HostileWish,
): Promise<HostileAgent> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  socket.write(
    [
      `GET /v1/tunnel?share=${wish.share} HTTP/1.1`,
      `Host: ${wish.host}`,
      `Authorization: Bearer ${wish.apiKey.reveal()}`,
      `Doorward-Agent: ${wish.agentId ?? 'hostile-agent'}`,
      'Connection: Upgrade',
      'Upgrade: doorward-tunnel/1',
      '',
      '',
    ].join('\r\n'),
  );
  const first = await untilSwitched(socket);
  const heard: Frame[] = [];
  const waiting = new Set<() => void>();
  const tell = () => {
    for (const look of waiting) look();
  };
  let ended = false;
  const send = (...frames: readonly Buffer[]) =>
    void (socket.writable && socket.write(Buffer.concat(frames)));
  const read = frameReader((each) => {
    heard.push(each);
    if (each.type === SETTINGS && (each.flags & ACK) === 0) send(frame(SETTINGS, ACK, 0));
  });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.on('close', () => {
    ended = true;
    tell();
    resolve();
  });
  const wait = (fits: (frame: Frame) => boolean) => {
    const found = Promise.withResolvers<Frame | null>();
    const look = () => {
      const fitting = heard.find(fits);
      if (fitting === undefined && !ended) return;
      waiting.delete(look);
      found.resolve(fitting ?? null);
    };
    waiting.add(look);
    look();
    return found.promise;
  };
  let preface = PREFACE_BYTES;
  const take = (chunk: Buffer) => {
    const skipped = Math.min(preface, chunk.length);
    preface -= skipped;
    read(chunk.subarray(skipped));
    tell();
  };
  // Before anything else that it says, acknowledgements too (RFC 9113 section 3.4).
  send(frame(SETTINGS, 0, 0, wish.settings ?? Buffer.alloc(0)));
  socket.on('data', take);
  take(first);
  await wait(({ type, flags }) => type === SETTINGS && (flags & ACK) !== 0);
  return { socket, send, heard, wait, closed };
}

/** What followed the head of the 101; throws whatever else was answered. */
async function untilSwitched(socket: Socket): Promise<Buffer> {
  let heard = Buffer.alloc(0);
  while (!heard.includes('\r\n\r\n')) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    heard = Buffer.concat([heard, chunk]);
  }
  if (!heard.toString('latin1').startsWith('HTTP/1.1 101 ')) {
    socket.on('data', (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk]);
    });
    await once(socket, 'close');
    throw new Error(heard.toString('latin1'));
  }
  return heard.subarray(heard.indexOf('\r\n\r\n') + 4);
}

/** `PRI * HTTP/2.0…` (RFC 9113 section 3.4). */
const PREFACE_BYTES = 24;
