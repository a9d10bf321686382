// Starts a peer in the foreground with a folder for its files, and ends it with everything it wrote.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import type { Peer } from './peer.ts';

export type PeerCommand = {
  readonly name: string;
  readonly binary: string;
  readonly version: string;
  /** It writes a line for each request, which nobody is to read. */
  readonly talkative?: boolean;
  /** A free one unless said. */
  readonly port?: number;
  /** Writes its configuration into the folder; answers the arguments. */
  readonly prepare: (folder: string, port: number) => Promise<readonly string[]>;
};

export async function runPeer({
  name,
  version,
  binary,
  prepare,
  talkative = false,
  port: ownPort,
}: PeerCommand): Promise<Peer> {
  const folder = await mkdtemp(join(tmpdir(), `doorward-${name}-`));
  const port = ownPort ?? (await freePort());
  const args = await prepare(folder, port);
  const child = spawn(binary, args, { stdio: ['ignore', 'ignore', talkative ? 'ignore' : 'inherit'] });
  let runs = true;
  child.on('exit', () => (runs = false));
  // What cannot even be executed never exits.
  child.on('error', () => (runs = child.pid !== undefined && runs));
  const kill = () => child.kill();
  process.once('exit', kill);
  const close = async () => {
    process.off('exit', kill);
    child.kill();
    if (runs) await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
  };
  for (const deadline = performance.now() + START_LIMIT_MS; !(await accepts(port));) {
    if (!runs || performance.now() > deadline) {
      await close();
      throw new Error(`Cannot start ${name}: it does not listen on ${port}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return { name, version, pid: () => child.pid ?? 0, port, close };
}

export function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('connect', () => {
    socket.destroy();
    resolve(true);
  });
  socket.on('error', () => resolve(false));
  return promise;
}

const START_LIMIT_MS = 5_000;
