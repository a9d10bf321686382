// An agent by hand: the upgrade to a tunnel, then whatever a test says on it and on the connections that it
// lends, and what the edge said.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { Secret } from '../../src/domain/secret.ts';
import { FRAMES } from '../../src/tunnel/wire.ts';
import { HELLO, talkTunnel, type TunnelTalk } from './tunnel-frames.ts';

export type HostileAgent = TunnelTalk & {
  /** Shows a ticket, the next unless said; throws with the answer, when that is no 101. */
  readonly lend: (ticket?: string) => Promise<Socket>;
};

export type HostileInput = {
  readonly host: string;
  readonly share: string;
  readonly apiKey: Secret;
  readonly agentId?: string;
};

/** Resolves once the edge asks for connections. Throws with the answer, when that is no 101. */
export async function openHostileAgent(
  t: TestContext,
  port: number,
  input: HostileInput,
): Promise<HostileAgent> {
  const { socket, first } = await upgrade(t, port, [
    `GET /v1/tunnel?share=${input.share} HTTP/1.1`,
    `Host: ${input.host}`,
    `Authorization: Bearer ${input.apiKey.reveal()}`,
    `Doorward-Agent: ${input.agentId ?? 'hostile-agent'}`,
  ]);
  const talk = talkTunnel(socket, first);
  talk.send(HELLO);
  await talk.wait(({ type }) => type === FRAMES.ready);
  return {
    ...talk,
    lend: async (ticket) => {
      const shown = ticket ?? (await talk.ticket()) ?? '';
      return lendTo(t, port, { host: input.host, ticket: shown });
    },
  };
}

/** Throws with the answer, when that is no 101. */
export async function lendTo(
  t: TestContext,
  port: number,
  { host, ticket }: { readonly host: string; readonly ticket: string },
): Promise<Socket> {
  const { socket, first } = await upgrade(t, port, [
    'GET /v1/tunnel HTTP/1.1',
    `Host: ${host}`,
    `Doorward-Tickets: ${ticket}`,
  ]);
  if (first.byteLength > 0) socket.unshift(first);
  return socket;
}

async function upgrade(t: TestContext, port: number, lines: readonly string[]) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  socket.write([...lines, 'Connection: Upgrade', 'Upgrade: doorward-tunnel/2', '', ''].join('\r\n'));
  return { socket, first: await untilSwitched(socket) };
}

/** What followed the head of the 101; throws whatever else was answered. */
async function untilSwitched(socket: Socket): Promise<Buffer> {
  let heard = Buffer.alloc(0);
  while (!heard.includes('\r\n\r\n')) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    heard = Buffer.concat([heard, chunk]);
  }
  socket.pause();
  if (!heard.toString('latin1').startsWith('HTTP/1.1 101 ')) {
    socket.on('data', (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk]);
    });
    socket.resume();
    await once(socket, 'close');
    throw new Error(heard.toString('latin1'));
  }
  return heard.subarray(heard.indexOf('\r\n\r\n') + 4);
}
