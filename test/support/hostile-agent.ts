// An agent by hand: the upgrade to a tunnel, then whatever frames a test sends on it, and what the edge said.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { Secret } from '../../src/domain/secret.ts';
import { ACK, frame, type FrameTalk, SETTINGS, talkFrames } from './http2-frames.ts';

export type HostileAgent = FrameTalk<Socket>;

export type HostileInput = {
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
  input: HostileInput,
): Promise<HostileAgent> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  socket.write(
    [
      `GET /v1/tunnel?share=${input.share} HTTP/1.1`,
      `Host: ${input.host}`,
      `Authorization: Bearer ${input.apiKey.reveal()}`,
      `Doorward-Agent: ${input.agentId ?? 'hostile-agent'}`,
      'Connection: Upgrade',
      'Upgrade: doorward-tunnel/1',
      '',
      '',
    ].join('\r\n'),
  );
  const first = await untilSwitched(socket);
  const { talk, take } = talkFrames(socket);
  let preface = PREFACE_BYTES;
  const takeBehindPreface = (chunk: Buffer) => {
    const skipped = Math.min(preface, chunk.length);
    preface -= skipped;
    take(chunk.subarray(skipped));
  };
  // Before anything else that it says, acknowledgements too (RFC 9113 section 3.4).
  talk.send(frame(SETTINGS, 0, 0, input.settings ?? Buffer.alloc(0)));
  socket.on('data', takeBehindPreface);
  takeBehindPreface(first);
  await talk.wait(({ type, flags }) => type === SETTINGS && (flags & ACK) !== 0);
  return talk;
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
