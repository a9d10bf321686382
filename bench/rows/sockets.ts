// Memory of a fresh process that holds idle WebSockets.

import { asSubject } from './requests.ts';
import { descriptorLimit, residentMb } from '../process-cost.ts';
import { startLoadProcess } from '../processes.ts';
import type { Doorward } from '../proxies/doorward.ts';
import type { Peer } from '../proxies/peer.ts';
import type { Size } from '../size.ts';
import type { Subject } from '../subject.ts';

export type SocketMemory = {
  readonly count: number;
  /** Why it isn't as many as wanted, or null. */
  readonly note: string | null;
  readonly nginxMb: number;
  readonly doorwardMb: number;
};

export type SocketBench = { readonly size: Size; readonly nginx: Peer; readonly doorward: Doorward };

export async function measureSockets({ size, nginx, doorward }: SocketBench): Promise<SocketMemory> {
  // What was measured before has grown the heap.
  await doorward.service.stop();
  await doorward.service.start();
  const limit = descriptorLimit(doorward.service.pid());
  const room = Math.floor((limit - OTHER_DESCRIPTORS) / 2);
  const count = Math.min(size.sockets, room);
  const note =
    count < size.sockets
      ? `${size.sockets} need two descriptors each, and a process may have ${limit} here`
      : null;
  const nginxMb = await holding(asSubject(nginx, doorward), count);
  const doorwardMb = await holding(doorward.protected, count);
  return { count, note, nginxMb, doorwardMb };
}

async function holding(subject: Subject, count: number): Promise<number> {
  const origin = new URL(`http://${/\r\nHost: (\S+)/.exec(subject.requests('/')[0] ?? '')?.[1]}`).origin;
  const more =
    `Origin: ${origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  const load = startLoadProcess();
  try {
    const requests = subject.requests('/socket', more);
    const found = await load.run({ kind: 'sockets', port: subject.port, requests, count });
    if (found.failures > 0) throw new Error(`Cannot open ${count} WebSockets: ${found.failures} failed`);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    return residentMb(subject.pid());
  } finally {
    await load.close();
  }
}

/** The store, listeners, and connections for logins. */
const OTHER_DESCRIPTORS = 300;
/** Garbage of the handshakes is collected by then, if it is at all. */
const SETTLE_MS = 3_000;
