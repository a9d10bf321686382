// A loopback port that is free, for a server that has to be told its port.

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that the kernel gives to clients (32768 and up on Linux), so that no connection takes it
 * before its server listens, and never the same one twice in a process.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const port = randomInt(FIRST, LAST + 1);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no free port among ${MOST_TRIES} from ${FIRST} to ${LAST}`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!listens) return false;
  const closed = once(server, 'close');
  server.close();
  await closed;
  return true;
}

const FIRST = 12_000;
const LAST = 32_000;
const MOST_TRIES = 1000;
const given = new Set<number>();
