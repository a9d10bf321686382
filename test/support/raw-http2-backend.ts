// A backend that speaks HTTP/2 by hand, in the clear: whatever frames a test wants, and what it was sent.

import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { UpstreamOrigin } from '../../src/gateway/upstream/upstream-request.ts';
import { frame, HEADERS, SETTINGS, talkFrames, type FrameTalk } from './http2-frames.ts';
import { listen } from './raw-backend.ts';

export type Http2Talk = FrameTalk<Socket>;

export type RawHttp2Backend = {
  readonly origin: UpstreamOrigin;
  readonly port: number;
  /** One for each connection that was ever made. */
  readonly talks: readonly Http2Talk[];
};

export type RawHttp2Options = {
  /** The payload of its SETTINGS; null for none at all. */
  readonly settings?: Buffer | null;
  /** Called for each head; `nth` counts them over all connections, from 1. */
  readonly onHead?: (talk: Http2Talk, stream: number, nth: number) => void;
  readonly onConnection?: (talk: Http2Talk) => void;
};

/** Stopped with the test. */
export async function rawHttp2Backend(t: TestContext, options: RawHttp2Options): Promise<RawHttp2Backend> {
  const { settings = Buffer.alloc(0), onHead, onConnection } = options;
  const talks: Http2Talk[] = [];
  let heads = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    const { talk, take } = talkFrames(socket);
    talks.push(talk);
    if (settings !== null) talk.send(frame(SETTINGS, 0, 0, settings));
    onConnection?.(talk);
    let preface = 0;
    let seen = 0;
    socket.on('data', (chunk: Buffer) => {
      const skipped = Math.min(chunk.length, PREFACE_BYTES - preface);
      preface += skipped;
      take(chunk.subarray(skipped));
      for (; seen < talk.heard.length; seen += 1) {
        const each = talk.heard[seen]!;
        if (each.type === HEADERS) onHead?.(talk, each.stream, ++heads);
      }
    });
  });
  const port = await listen(server);
  t.after(() => {
    for (const { socket } of talks) socket.destroy();
    server.close();
  });
  return {
    port,
    talks,
    origin: {
      key: `raw HTTP/2 ${port}`,
      http2: 'http',
      dial: (dialled) => connect({ host: '127.0.0.1', port, ...dialled }),
    },
  };
}

/** One setting, for a SETTINGS frame (RFC 9113 section 6.5.1). */
export function setting(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUInt16BE(id);
  bytes.writeUInt32BE(value, 2);
  return bytes;
}

export const MAX_CONCURRENT_STREAMS = 3;
export const INITIAL_WINDOW_SIZE = 4;
const PREFACE_BYTES = 24;
